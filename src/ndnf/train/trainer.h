#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// The results of one iteration (PPO), epoch (distillation) or block of episodes (Q-learning). Figures that
/// a method does not have are absent.
struct IterationReport {
  std::size_t iteration = 0;              ///< Counted from 1.
  std::size_t iterations = 0;             ///< Of the whole training.
  std::size_t steps = 0;                  ///< Environment steps so far (samples, for distillation).
  std::size_t episodes = 0;               ///< Finished in this iteration.
  std::optional<double> episodic_return;  ///< Mean over those.
  std::optional<double> episodic_length;
  std::optional<double> exact_return;  ///< Of the policy after this iteration; set by the evaluator.
  std::optional<double> learning_rate;
  std::optional<double> delta;
  std::optional<double> epsilon;
  std::optional<double> policy_loss;
  std::optional<double> value_loss;
  std::optional<double> entropy;
  std::optional<double> approx_kl;
  std::optional<double> clip_fraction;
  std::optional<double> explained_variance;
  std::optional<double> loss_l1;  ///< The auxiliary losses, Eqs. (5)–(8), before their factors.
  std::optional<double> loss_l2;
  std::optional<double> loss_l3;
  std::optional<double> loss_l4;
  std::optional<double> distillation_loss;
  std::optional<std::string> remark;  ///< What a progress bar shows instead of the return.
};

/// A training run in progress, with the same interface for every method. It reads no clock and writes no
/// file; the caller decides when to save `state()` and when to stop.
class Trainer {
 public:
  virtual ~Trainer() = default;
  virtual bool done() const = 0;
  /// REQUIRES: not done. Throws Error naming the iteration if a number becomes NaN or infinite. Denormal
  /// numbers count as 0 (nn/flush_denormals.h).
  IterationReport iterate();
  /// Everything needed to continue: restored into a new trainer with the same options, it leads to
  /// bit-identical results, unless the environment cannot be saved.
  virtual TensorFile state() const = 0;
  virtual void restore(std::string_view where, const TensorFile& state) = 0;
  /// Whether `restore` had to start new episodes, because the environment cannot be saved: the training goes
  /// on, but not with the bytes of an uninterrupted run.
  virtual bool began_new_episodes() const { return false; }

 private:
  virtual IterationReport next_iteration() = 0;
};

}  // namespace ndnf
