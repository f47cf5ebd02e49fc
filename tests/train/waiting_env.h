#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ndnf/simulation/vector_env.h"

namespace ndnf::testing {

/// Environments that begin a new episode only with the step after the end of one, as Gymnasium's do in the
/// mode NEXT_STEP: whatever its action, that step is skipped and has the reward `wasted`.
class WaitingEnv final : public VectorEnv {
 public:
  /// REQUIRES: each of the environments has one walker, and all share a table.
  WaitingEnv(std::vector<std::unique_ptr<VectorEnv>> walkers, double wasted)
      : walkers_(std::move(walkers)), wasted_(wasted), observations_(size()), started_(size()) {}

  std::size_t size() const override { return walkers_.size(); }
  const ObservationTable& observations() const override { return walkers_[0]->observations(); }
  std::span<const ObsId> reset(std::uint64_t seed) override {
    for (std::size_t n = 0; n < size(); ++n) observations_[n] = walkers_[n]->reset(seed)[0];
    waiting_.assign(size(), 0);
    return observations_;
  }
  VectorStep step(std::span<const ActionId> actions) override {
    rewards_.assign(size(), wasted_);
    terminated_.assign(size(), 0);
    truncated_.assign(size(), 0);
    skipped_ = waiting_;
    for (std::size_t n = 0; n < size(); ++n) {
      if (std::exchange(waiting_[n], 0) != 0) {
        observations_[n] = started_[n];
        continue;
      }
      const VectorStep step = walkers_[n]->step(actions.subspan(n, 1));
      rewards_[n] = step.rewards[0];
      terminated_[n] = step.terminated[0];
      truncated_[n] = step.truncated[0];
      observations_[n] = step.arrived[0];
      started_[n] = step.observations[0];
      waiting_[n] = terminated_[n] | truncated_[n];
    }
    return {observations_, observations_, rewards_, terminated_, truncated_, skipped_};
  }

 private:
  std::vector<std::unique_ptr<VectorEnv>> walkers_;
  const double wasted_;
  std::vector<ObsId> observations_;
  std::vector<ObsId> started_;
  std::vector<std::uint8_t> waiting_;
  std::vector<std::uint8_t> skipped_;
  std::vector<double> rewards_;
  std::vector<std::uint8_t> terminated_;
  std::vector<std::uint8_t> truncated_;
};

}  // namespace ndnf::testing
