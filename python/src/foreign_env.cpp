#include "python/src/foreign_env.h"

#include <algorithm>
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
      values_(encoder_->vocabulary()->group_count()),
      dense_(encoder_->dense_size()),
      observations_(nb::cast<std::size_t>(walkers.attr("count"))),
      arrived_(size()),
      rewards_(size()),
      terminated_(size()),
      truncated_(size()),
      actions_(size()),
      rows_(ring(1)) {}

ForeignEnv::~ForeignEnv() {
  const nb::gil_scoped_acquire gil;
  try {
    walkers_.get().attr("close")();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("closing an environment");
  }
}

ObservationTable ForeignEnv::ring(std::size_t steps) const {
  return ObservationTable::buffer(encoder_->vocabulary(), dense_.size(), 2 * size() * (steps + 2));
}

void ForeignEnv::require_size(const std::vector<LeafArray>& arrays) const {
  const std::size_t rows = encoder_->batch_size(arrays);
  if (rows != size())
    throw Error("env", fmt::format("returned {} observations", rows),
                fmt::format("it has {} environments", size()));
}

ObsId ForeignEnv::write(const std::vector<LeafArray>& arrays, std::size_t walker) {
  encoder_->encode(arrays, walker, values_, dense_);
  const auto row = static_cast<ObsId>(next_);
  next_ = next_ + 1 == rows_.size() ? 0 : next_ + 1;
  rows_.overwrite(row, values_, dense_);
  return row;
}

std::span<const ObsId> ForeignEnv::reset(std::uint64_t seed) {
  const nb::gil_scoped_acquire gil;
  const auto arrays = leaf_arrays(walkers_.get().attr("reset")(seed));
  require_size(arrays);
  for (std::size_t i = 0; i < size(); ++i) observations_[i] = write(arrays, i);
  return observations_;
}

template <class Number, class Array>
void ForeignEnv::read(const char* what, const nb::object& source, std::vector<Number>& target) const {
  const auto column = nb::cast<Column<Array>>(source);
  if (column.shape(0) != size())
    throw Error("env", fmt::format("returned {} {}", column.shape(0), what),
                fmt::format("it has {} environments", size()));
  std::copy_n(column.data(), size(), target.begin());
}

VectorStep ForeignEnv::step(std::span<const ActionId> actions) {
  const nb::gil_scoped_acquire gil;
  std::copy(actions.begin(), actions.end(), actions_.begin());
  const nb::object array = nb::cast(
      nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(actions_.data(), {actions_.size()}, step_.get()));
  const nb::object result = step_.get()(array);
  const auto arrays = leaf_arrays(result[0]);
  require_size(arrays);
  read<double, double>("rewards", result[2], rewards_);
  read<std::uint8_t, bool>("flags", result[3], terminated_);
  read<std::uint8_t, bool>("flags", result[4], truncated_);
  const nb::object finals = result[1];
  const auto final_arrays = finals.is_none() ? std::vector<LeafArray>() : leaf_arrays(finals);
  if (!finals.is_none()) require_size(final_arrays);
  for (std::size_t i = 0; i < size(); ++i) {
    const bool ended = terminated_[i] != 0 || truncated_[i] != 0;
    if (ended && !finals.is_none()) arrived_[i] = write(final_arrays, i);
    observations_[i] = write(arrays, i);
    if (!ended || finals.is_none()) arrived_[i] = observations_[i];
  }
  return {observations_, arrived_, rewards_, terminated_, truncated_};
}

}  // namespace ndnf::python
