#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "ndnf/simulation/vector_env.h"
#include "python/src/observation_encoder.h"
#include "python/src/shared_object.h"

namespace ndnf::python {

/// Environments in lock-step that Python steps. `walkers` is an ndnf._stepping.Walkers, with
///  - `count`;
///  - `reset(seed)`, which returns the arrays of the first observations;
///  - `step(actions)`, which returns (arrays, final arrays or None, rewards, terminated, truncated): the
///    arrays are those of the current observations; where an episode ended, the final ones are those that
///    the step led to.
/// Observations go through a ring of rows, as in a StreamedEnv. The GIL is taken once per step.
class ForeignEnv final : public VectorEnv {
 public:
  /// REQUIRES: the GIL is held.
  ForeignEnv(nanobind::object walkers, std::shared_ptr<const ObservationEncoder> encoder);
  ~ForeignEnv() override;

  std::size_t size() const override { return observations_.size(); }
  const ObservationTable& observations() const override { return rows_; }
  void keep(std::size_t steps) override { rows_ = ring(steps); }
  std::span<const ObsId> reset(std::uint64_t seed) override;
  VectorStep step(std::span<const ActionId> actions) override;

 private:
  /// Numbers of one kind, one per walker. Throws Error if there are more or fewer.
  template <class Number, class Array>
  void read(const char* what, const nanobind::object& source, std::vector<Number>& target) const;
  ObservationTable ring(std::size_t steps) const;
  void require_size(const std::vector<LeafArray>& arrays) const;
  ObsId write(const std::vector<LeafArray>& arrays, std::size_t walker);

  SharedObject walkers_;
  SharedObject step_;  ///< Its method `step`.
  std::shared_ptr<const ObservationEncoder> encoder_;
  std::vector<std::uint32_t> values_;
  std::vector<float> dense_;
  std::vector<ObsId> observations_;
  std::vector<ObsId> arrived_;
  std::vector<double> rewards_;
  std::vector<std::uint8_t> terminated_;
  std::vector<std::uint8_t> truncated_;
  std::vector<std::int64_t> actions_;
  ObservationTable rows_;
  std::size_t next_ = 0;
};

}  // namespace ndnf::python
