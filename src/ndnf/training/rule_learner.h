#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/env/task.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/rules/rule_trainer.h"
#include "ndnf/syntax/program.h"
#include "ndnf/training/train_config.h"

namespace ndnf {

/// Rules that a run has learned: a front of size against return.
struct LearnedRules {
  RuleFront front;  ///< Empty as long as the teacher is trained.
  std::shared_ptr<const Features> features;
  std::optional<Checkpoint> teacher;  ///< The network that it has trained for this.
  std::string env;
  std::string origin;  ///< "seed 0, 10000000 steps".
};

/// The list as an ASP program without a header.
Program program_of(const RuleList& list, const Features& features);

/// The program of an entry with a header of what is known about it.
std::string program_text(const LearnedRules& learned, const FrontEntry& entry);

/// "2 rules, 3 literals"; the default is not counted.
std::string size_words(const RuleList& list);

/// The file of an entry below the folder `front`: its size, `04.lp`.
std::string front_file(const FrontEntry& entry);
/// Whether a file of that folder may have such a name.
bool is_front_file(std::string_view name);

/// `front` (one object per program: file, rules, literals, terms, return, stderr, worst, episodes,
/// selection_return, picked, program), `teacher_return`, `teacher_stderr` and `warning`. Without rules
/// nothing is `exact`.
void add_front(nlohmann::ordered_json& json, const LearnedRules& learned);

/// The policy of the section [rules] that is learned from; null if there is none, and a teacher is trained.
/// Throws Error if it does not fit.
std::shared_ptr<const Policy> given_teacher(const TrainConfig& config, const Task& task);

/// A search for rules in the task as the config describes it. `given` may be null. Throws Error if rules
/// cannot be about what the task shows.
std::unique_ptr<RuleTrainer> make_rule_trainer(const TrainConfig& config, const Task& task,
                                               std::shared_ptr<const Policy> given, std::size_t jobs);

/// What the trainer has learned so far.
LearnedRules learned_rules(const RuleTrainer& trainer, const TrainConfig& config, const Task& task,
                           std::uint64_t steps);

}  // namespace ndnf
