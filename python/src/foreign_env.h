#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "ndnf/simulation/step_buffer.h"
#include "ndnf/simulation/vector_env.h"
#include "python/src/observation_encoder.h"
#include "python/src/shared_object.h"

namespace ndnf::python {

/// Environments in lock-step that Python steps. `walkers` is an object as in ndnf._stepping, with
///  - `count`;
///  - `reset(seed)`, which returns the arrays of the first observations, and masks;
///  - `step(actions)`, which returns (arrays, final arrays or None, rewards, terminated, truncated, masks,
///    skipped or None): the arrays are those of the current observations; where an episode ended, the final
///    ones are those that the step led to.
/// Masks are None, or say for each walker and action whether the current observation offers it. The GIL is
/// taken once per step.
class ForeignEnv final : public VectorEnv {
 public:
  /// REQUIRES: the GIL is held.
  ForeignEnv(nanobind::object walkers, std::shared_ptr<const ObservationEncoder> encoder);
  ~ForeignEnv() override;

  std::size_t size() const override { return steps_.size(); }
  const ObservationTable& observations() const override { return steps_.rows(); }
  void keep(std::size_t steps) override;
  const ActionMask* offered() const override { return offered_ ? &*offered_ : nullptr; }
  std::span<const ObsId> reset(std::uint64_t seed) override;
  VectorStep step(std::span<const ActionId> actions) override;

 private:
  /// Numbers of one kind, one per walker. Throws Error if there are more or fewer, or others.
  template <class Number, class Array>
  void read(const char* what, const nanobind::object& source, std::vector<Number>& target) const;
  void read_masks(const nanobind::object& masks);
  std::vector<LeafArray> read_observations(const nanobind::object& arrays) const;
  ObsId write(const std::vector<LeafArray>& arrays, std::size_t walker);

  SharedObject walkers_;
  SharedObject step_;  ///< Its method `step`.
  std::shared_ptr<const ObservationEncoder> encoder_;
  StepBuffer steps_;
  std::vector<std::uint8_t> skipped_;
  std::vector<std::int64_t> actions_;
  std::optional<ActionMask> offered_;  ///< Over the rows of the buffer, as soon as there are masks.
};

}  // namespace ndnf::python
