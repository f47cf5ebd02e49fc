#include "python/src/foreign_env.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf::python {

namespace nb = nanobind;

namespace {

template <class Number>
using Column = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace

ForeignEnv::ForeignEnv(nb::object walkers, std::shared_ptr<const ObservationEncoder> encoder)
    : walkers_(walkers),
      step_(walkers.attr("step")),
      encoder_(std::move(encoder)),
      steps_(encoder_->vocabulary(), encoder_->dense_size(), nb::cast<std::size_t>(walkers.attr("count"))),
      actions_(size()) {}

ForeignEnv::~ForeignEnv() {
  const nb::gil_scoped_acquire gil;
  try {
    walkers_.get().attr("close")();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("closing an environment");
  }
}

void ForeignEnv::keep(std::size_t steps) {
  steps_.keep(steps);
  offered_.reset();
}

std::vector<LeafArray> ForeignEnv::read_observations(const nb::object& arrays) const {
  auto views = leaf_arrays(arrays);
  const std::size_t rows = encoder_->batch_size(views);
  if (rows != size())
    throw Error("env", fmt::format("returned {} observations", rows),
                fmt::format("it has {} environments", size()));
  return views;
}

/// Every action is offered in a row until a mask says otherwise: nothing is decided where an episode ended.
ObsId ForeignEnv::write(const std::vector<LeafArray>& arrays, std::size_t walker) {
  const ObsId row = steps_.write([&](std::span<std::uint32_t> values, std::span<float> dense) {
    encoder_->encode(arrays, walker, values, dense);
  });
  if (offered_) offered_->allow_all(row);
  return row;
}

std::span<const ObsId> ForeignEnv::reset(std::uint64_t seed) {
  const nb::gil_scoped_acquire gil;
  const nb::object result = walkers_.get().attr("reset")(seed);
  const auto arrays = read_observations(result[0]);
  for (std::size_t i = 0; i < size(); ++i) steps_.observations[i] = write(arrays, i);
  read_masks(result[1]);
  return steps_.observations;
}

template <class Number, class Array>
void ForeignEnv::read(const char* what, const nb::object& source, std::vector<Number>& target) const {
  Column<Array> column;
  if (!nb::try_cast(source, column))
    throw Error("env", fmt::format("returned {} that are not one {} per environment", what,
                                   std::is_same_v<Array, bool> ? "bool" : "number"));
  if (column.shape(0) != size())
    throw Error("env", fmt::format("returned {} {}", column.shape(0), what),
                fmt::format("it has {} environments", size()));
  target.assign(column.data(), column.data() + size());
}

void ForeignEnv::read_masks(const nb::object& masks) {
  if (masks.is_none()) return;
  const std::size_t actions = encoder_->vocabulary()->action_count();
  const auto rows = nb::cast<nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(masks);
  if (!offered_) offered_ = ActionMask::all(actions, steps_.rows().size());
  for (std::size_t i = 0; i < size(); ++i) {
    std::uint64_t bits = 0;
    for (std::size_t a = 0; a < actions; ++a)
      bits |= std::uint64_t{rows.data()[i * actions + a] ? 1u : 0u} << a;
    if (bits == 0)
      throw Error("env", fmt::format("the action_mask of environment {} allows no action", i),
                  "an episode without a possible action must end");
    offered_->set(steps_.observations[i], bits);
  }
}

VectorStep ForeignEnv::step(std::span<const ActionId> actions) {
  const nb::gil_scoped_acquire gil;
  std::copy(actions.begin(), actions.end(), actions_.begin());
  const nb::object array = nb::cast(
      nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(actions_.data(), {actions_.size()}, step_.get()));
  const nb::object result = step_.get()(array);
  const auto arrays = read_observations(result[0]);
  read<double, double>("rewards", result[2], steps_.rewards);
  read<std::uint8_t, bool>("flags", result[3], steps_.terminated);
  read<std::uint8_t, bool>("flags", result[4], steps_.truncated);
  const nb::object finals = result[1];
  const auto final_arrays = finals.is_none() ? std::vector<LeafArray>() : read_observations(finals);
  for (std::size_t i = 0; i < size(); ++i) {
    if (!std::isfinite(steps_.rewards[i]))
      throw Error("env", fmt::format("the reward of environment {} is not finite", i));
    const bool ended = steps_.terminated[i] != 0 || steps_.truncated[i] != 0;
    if (ended && !finals.is_none()) steps_.arrived[i] = write(final_arrays, i);
    steps_.observations[i] = write(arrays, i);
    if (!ended || finals.is_none()) steps_.arrived[i] = steps_.observations[i];
  }
  read_masks(result[5]);
  VectorStep step = steps_.step();
  if (const nb::object skipped = result[6]; !skipped.is_none()) {
    read<std::uint8_t, bool>("flags", skipped, skipped_);
    step.skipped = skipped_;
  }
  return step;
}

}  // namespace ndnf::python
