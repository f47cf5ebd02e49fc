#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/optimum/return_gradient.h"
#include "ndnf/train/trainer.h"
#include "ndnf/update/constraints.h"

namespace ndnf {

/// The section [finish] of a preset. It uses the environment's model, so the result is not learned from
/// episodes alone: presets that use it say so in their names.
struct FinishOptions {
  std::int64_t steps = 0;
  double learning_rate = 1e-2;
};
ConfigTable<FinishOptions> finish_config();

/// Maximises the exact return of a sampled policy on the finite model with Adam, at a rate falling to 0, and
/// keeps the best policy seen. An iteration is one step over all reachable observations. Uses no random
/// numbers.
template <class S>
class ExactFinish final : public Trainer {
 public:
  /// Throws Error if the model is too large to keep the values of all its states at all steps in memory.
  ExactFinish(const FiniteModel& model, ActorCritic<S> network, const FinishOptions& options,
              const Constraints& constraints = {});

  bool done() const override { return iteration_ == static_cast<std::uint64_t>(options_.steps); }
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;

  ActorCritic<S> policy() const { return best_; }

 private:
  IterationReport next_iteration() override;
  /// Returns the exact return; sets the gradients of its negative at the raw outputs.
  double look();

  const FinishOptions options_;
  const DecisionProcess process_;
  ReturnGradient objective_;
  Optimiser<S> optimiser_;
  ActorCritic<S> best_;
  double best_return_;
  std::uint64_t iteration_ = 0;

  Batch<S> batch_;  // all reachable observations
  std::vector<double> rows_;
  std::vector<double> row_gradient_;
  Matrix<S> dp_;
  Activations<S> activations_;
  OutputGradients<S> output_gradients_;
};

}  // namespace ndnf
