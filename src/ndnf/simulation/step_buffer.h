#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// What environments have that cannot enumerate their observations: a ring of rows through which the
/// observations go, and the results of a step. Memory is constant however many observations there are.
class StepBuffer {
 public:
  StepBuffer(std::shared_ptr<const Vocabulary> vocabulary, std::size_t dense_size, std::size_t walkers)
      : observations(walkers),
        arrived(walkers),
        rewards(walkers),
        terminated(walkers),
        truncated(walkers),
        values_(vocabulary->group_count()),
        dense_(dense_size),
        rows_(ring(std::move(vocabulary), 1)) {}

  std::size_t size() const { return observations.size(); }
  const ObservationTable& rows() const { return rows_; }
  /// As for VectorEnv.
  void keep(std::size_t steps) { rows_ = ring(rows_.shared_vocabulary(), steps); }

  /// The next row of the ring, with what observe(values, dense) writes.
  template <class Observe>
  ObsId write(Observe observe) {
    observe(std::span<std::uint32_t>(values_), std::span<float>(dense_));
    const auto row = static_cast<ObsId>(next_);
    next_ = next_ + 1 == rows_.size() ? 0 : next_ + 1;
    rows_.overwrite(row, values_, dense_);
    return row;
  }

  VectorStep step() const { return {observations, arrived, rewards, terminated, truncated}; }

  // One element per walker, as in VectorStep.
  std::vector<ObsId> observations;
  std::vector<ObsId> arrived;
  std::vector<double> rewards;
  std::vector<std::uint8_t> terminated;
  std::vector<std::uint8_t> truncated;

 private:
  ObservationTable ring(std::shared_ptr<const Vocabulary> vocabulary, std::size_t steps) const {
    // Per step a walker needs a row for where it arrived and one for a new start; the current ones stay.
    return ObservationTable::buffer(std::move(vocabulary), dense_.size(), 2 * size() * (steps + 2));
  }

  std::vector<std::uint32_t> values_;
  std::vector<float> dense_;
  ObservationTable rows_;
  std::size_t next_ = 0;
};

}  // namespace ndnf
