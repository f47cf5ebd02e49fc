#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/env/task.h"
#include "ndnf/inputs/policy_file.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/solvers/solver_text.h"
#include "ndnf/system/input.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {

/// A policy in a finite task: one row per observation, and its rules if it is a program.
struct TaskPolicy {
  std::string name;
  Selection select;                  ///< How its actions are picked by default.
  PolicyTable table;                 ///< Forbidden actions have probability 0.
  std::optional<ActionMask> mask{};  ///< The actions that the task offers and its shields allow; empty: all.
  bool shielded = false;
  std::optional<Program> program{};
  std::optional<BoundProgram> bound{};  ///< Set if `program` is.

  /// The same policy with the probabilities with which actions are taken; `selection` defaults to its own.
  TaskPolicy taken(const std::optional<Selection>& selection) &&;
  /// Restricts the rows to what the task offers and the shield allows, as ActionMask::apply does.
  TaskPolicy restricted(const FiniteModel& model, const std::optional<ActionMask>& shield) &&;
  /// Why an action may have been lost, as the end of a sentence: "names no action under the shield".
  std::string restriction() const;
};

/// A row as text: "hit", "hit 0.7, stick 0.3", or why it is undefined ("names no action").
std::string row_text(const PolicyTable& policy, const Vocabulary& vocabulary, ObsId obs);
/// The same; for a restricted policy an undefined row reads "names no action under the shield".
std::string row_text(const TaskPolicy& policy, const Vocabulary& vocabulary, ObsId obs);

/// The task that a policy names.
struct NamedTask {
  std::string spec;           ///< As make_task reads it.
  std::string fingerprint{};  ///< The expected fingerprint of its model file; empty if unknown.
};

/// A POLICY argument, read once: `uniform`, `optimal`, a run directory, a `.safetensors` checkpoint, a
/// program
/// (`.lp`, `.pl`: docs/programs.md), or a `.json` table of probabilities (docs/policy-file.md); files may be
/// given by their contents. A program's text is parsed here; names are looked up when a task is known.
class PolicySource {
 public:
  /// Throws Error with the file and the place in it. The Error for a file of another kind says what it is.
  explicit PolicySource(const Input& input);
  /// The same for a source that must be a network (a run or checkpoint), or a program.
  static PolicySource network(const Input& input);
  static PolicySource rules(const Input& input);

  const std::string& name() const { return name_; }
  bool is_network() const { return checkpoint_ != nullptr; }
  bool is_program() const { return program_ != nullptr; }
  bool is_optimal() const { return kind_ == Kind::kOptimal; }
  /// Whether it is a word, `uniform` or `optimal`, not a file.
  bool is_word() const { return is_optimal() || kind_ == Kind::kUniform; }

  /// `eval.select` of a run, `argmax` for ASP, otherwise `sample`.
  Selection selection() const;
  /// The environment of a run, the `env` of a policy file or the comment `% environment: …` of a program. If
  /// a run keeps a copy of its model file, the copy is meant.
  std::optional<NamedTask> task() const;

  /// REQUIRES: is_network().
  const Checkpoint& checkpoint() const { return *checkpoint_; }
  /// The contents of the file; empty for `uniform` and `optimal`.
  const std::string& bytes() const { return bytes_; }
  /// The network alone, for these observations. Empty for Q-tables, other kinds of policy and shielded ones,
  /// which their network does not determine. Throws Error if it does not fit.
  std::optional<ActorCritic<double>> network_for(const ObservationTable& table) const;

  /// Its encoder, for these observations. Throws Error if it has none or does not fit. REQUIRES:
  /// is_network().
  Encoder<float> encoder_for(const ObservationTable& table) const;

  /// REQUIRES for the following: is_program().
  Syntax syntax() const { return program_->program.syntax; }
  /// The program over this vocabulary, ground (logic/read_program.h).
  Program program(const Task& task, const Vocabulary& vocabulary) const;
  /// Its rules for a solver, including those with variables.
  SolverText for_solver() const;
  /// Its rules for clingo in which atoms have the number of their observation (indexed_rules), or for
  /// ProbLog.
  SolverText for_solver_in_batches() const;

  /// The result of `make`, which uses this source in a task. If that fails because the source is for another
  /// task, the Error says so in one sentence, not once per unknown name.
  template <class Make>
  auto fitting(const Task& task, Make make) const {
    check_numbers(task);
    try {
      return make();
    } catch (const Error& error) {
      fail_for(task, error);
    }
  }

  /// The policy in a finite task. A run that was trained under a shield, or a network compiled under one,
  /// keeps it; `shield` is an additional mask, as is what the task offers. `optimal` is the best policy of
  /// allowed actions, networks are softmaxes over the allowed actions, and any other policy is restricted by
  /// ActionMask::apply. Throws Error if the policy does not fit the task.
  TaskPolicy in(const Task& task, const std::optional<ActionMask>& shield = std::nullopt) const;

  /// The policy for observations that are not enumerated. Throws Error if it does not fit the task, or needs
  /// its finite model: `optimal`, tables, and everything under a shield.
  std::unique_ptr<Policy> policy(const Task& task) const;

 private:
  enum class Kind : std::uint8_t { kUniform, kOptimal, kTable, kNetwork, kProgram };

  PolicySource(const Input& input, Kind kind);
  static Kind kind_of_source(const Input& input);
  void read_network(const Input& input);
  std::optional<std::string> named_spec() const;
  [[noreturn]] void fail_for(const Task& task, const Error& error) const;
  /// Throws Error if the header of a program names other steps of numbers than the task has: its bounds would
  /// mean something else.
  void check_numbers(const Task& task) const;
  TaskPolicy network_in(const Task& task, const std::optional<ActionMask>& shield) const;

  std::string name_;
  bool is_file_ = true;
  Kind kind_;
  std::string bytes_;
  std::shared_ptr<const PolicyFile> table_;
  std::shared_ptr<const Checkpoint> checkpoint_;
  std::shared_ptr<const ParsedProgram> program_;
};

/// A policy for a task in one call: its rows, without an additional shield.
PolicyTable load_policy(const Input& policy, const Task& task);

/// The task that `spec` names: one of task_kinds() with its settings, or a model file. The Error for a file
/// of another kind says what it is.
Task open_task(const Input& spec, NamedBy by = NamedBy::kUser);

/// The task that `env` names or, without it, the first that one of the policies names. Throws Error if none
/// does, or if the model file has changed since the policy was made for it. `discount` replaces the task's
/// own.
Task task_for(const std::optional<Input>& env, const std::vector<const PolicySource*>& policies,
              const std::optional<double>& discount = std::nullopt);

/// The task with this discount, if there is one. Throws Error if it is not allowed.
Task with_discount(Task task, const std::optional<double>& discount);

/// The checkpoint file of a run: `run` itself if it is a file, otherwise the model in that folder. Throws
/// Error if there is none.
std::filesystem::path checkpoint_file(const std::string& run);

}  // namespace ndnf
