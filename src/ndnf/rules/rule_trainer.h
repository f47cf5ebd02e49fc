#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/rules/halving.h"
#include "ndnf/rules/island.h"
#include "ndnf/rules/rule_front.h"
#include "ndnf/rules/rules_options.h"
#include "ndnf/rules/teaching.h"
#include "ndnf/train/trainer.h"

namespace ndnf {

/// Learns ordered rules over the integers of observations in four stages: a teacher (PPO), distillation of
/// the teacher, a search on the return, and the selection of a front of size against return. Each iteration
/// is a part of one of them. All random numbers are functions of the seed, so the result does not depend on
/// `jobs`, the threads among which islands are shared out.
class RuleTrainer final : public Trainer {
 public:
  RuleTrainer(PlayedTask stage, const RulesOptions& options, TeacherSource teacher, std::uint64_t seed,
              std::size_t jobs = 1);
  ~RuleTrainer() override;

  bool done() const override;
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;

  /// The front so far; empty during the teacher's training.
  RuleFront front() const;
  /// The network of the teacher; nothing while it is being trained, or if it was given.
  std::optional<ActorCritic<float>> teacher_network() const;
  /// The steps that it was trained with.
  std::uint64_t teacher_steps() const;

 private:
  IterationReport next_iteration() override;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ndnf
