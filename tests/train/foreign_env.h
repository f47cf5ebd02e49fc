#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/simulation/vector_env.h"

namespace ndnf::testing {

/// Hides another environment's table: observations are numbered as they appear.
class ForeignEnv final : public VectorEnv {
 public:
  explicit ForeignEnv(std::unique_ptr<VectorEnv> inner)
      : inner_(std::move(inner)),
        table_(inner_->observations().shared_vocabulary(), inner_->observations().dense_size()) {}

  std::size_t size() const override { return inner_->size(); }
  const ObservationTable& observations() const override { return table_; }
  std::span<const ObsId> reset(std::uint64_t seed) override { return translate(inner_->reset(seed), seen_); }
  VectorStep step(std::span<const ActionId> actions) override {
    VectorStep step = inner_->step(actions);
    step.arrived = translate(step.arrived, arrived_);
    step.observations = translate(step.observations, seen_);
    return step;
  }
  std::optional<std::vector<std::uint64_t>> snapshot() const override { return inner_->snapshot(); }
  std::span<const ObsId> restore(std::span<const std::uint64_t> snapshot) override {
    return translate(inner_->restore(snapshot), seen_);
  }

 private:
  std::span<const ObsId> translate(std::span<const ObsId> ids, std::vector<ObsId>& ours) {
    ours.clear();
    for (const ObsId id : ids) {
      ours.push_back(table_.intern(inner_->observations().values(id), inner_->observations().dense(id)));
    }
    return ours;
  }

  std::unique_ptr<VectorEnv> inner_;
  ObservationTable table_;
  std::vector<ObsId> seen_;
  std::vector<ObsId> arrived_;
};

}  // namespace ndnf::testing
