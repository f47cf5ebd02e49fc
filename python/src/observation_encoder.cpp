#include "python/src/observation_encoder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ndnf/base/error.h"

namespace ndnf::python {
namespace {

namespace nb = nanobind;

/// Calls `visit` with a pointer to the first element, by its type. Throws Error for other types.
template <class Visit>
void visit_elements(const LeafPlan& leaf, const LeafArray& array, bool real_allowed, Visit visit) {
  const nb::dlpack::dtype type = array.dtype();
  const void* data = array.data();
  if (type == nb::dtype<std::int64_t>()) return visit(static_cast<const std::int64_t*>(data));
  if (type == nb::dtype<float>() && real_allowed) return visit(static_cast<const float*>(data));
  if (type == nb::dtype<double>() && real_allowed) return visit(static_cast<const double*>(data));
  if (type == nb::dtype<std::uint8_t>()) return visit(static_cast<const std::uint8_t*>(data));
  if (type == nb::dtype<bool>()) return visit(static_cast<const bool*>(data));
  if (type == nb::dtype<std::int8_t>()) return visit(static_cast<const std::int8_t*>(data));
  if (type == nb::dtype<std::int32_t>()) return visit(static_cast<const std::int32_t*>(data));
  if (type == nb::dtype<std::int16_t>()) return visit(static_cast<const std::int16_t*>(data));
  if (type == nb::dtype<std::uint16_t>()) return visit(static_cast<const std::uint16_t*>(data));
  if (type == nb::dtype<std::uint32_t>()) return visit(static_cast<const std::uint32_t*>(data));
  throw Error("obs", fmt::format("{} has elements of another type", leaf.name),
              real_allowed ? "they must be integers, float32 or float64" : "they must be integers");
}

std::size_t element_count(const LeafArray& array) { return array.size(); }

}  // namespace

ObservationEncoder::ObservationEncoder(std::shared_ptr<const Vocabulary> vocabulary,
                                       std::vector<LeafPlan> leaves)
    : vocabulary_(std::move(vocabulary)), leaves_(std::move(leaves)) {
  for (LeafPlan& leaf : leaves_) {
    for (const IntegerPart& part : leaf.integers) {
      for (const std::uint32_t group : part.groups) {
        if (group >= vocabulary_->group_count()) throw Error(part.name, "there is no such group of atoms");
      }
    }
    if (!leaf.integers.empty()) continue;
    leaf.dense_begin = dense_size_;
    dense_size_ += leaf.size;
  }
}

std::size_t ObservationEncoder::batch_size(std::span<const LeafArray> arrays) const {
  if (arrays.size() != leaves_.size())
    throw Error("obs", fmt::format("has {} arrays", arrays.size()),
                fmt::format("the observation space has {}", leaves_.size()));
  std::size_t batch = 0;
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    const LeafPlan& leaf = leaves_[k];
    const std::size_t count = element_count(arrays[k]);
    if (leaf.size > 0 && count % leaf.size != 0)
      throw Error("obs", fmt::format("{} has {} elements", leaf.name, count),
                  fmt::format("one observation has {}", leaf.size));
    const std::size_t own = leaf.size == 0 ? 0 : count / leaf.size;
    if (k > 0 && own != batch)
      throw Error("obs", fmt::format("{} has {} rows", leaf.name, own),
                  fmt::format("{} has {}", leaves_[0].name, batch));
    batch = own;
  }
  return batch;
}

void ObservationEncoder::encode_integers(const LeafPlan& leaf, const LeafArray& array, std::size_t index,
                                         std::span<std::uint32_t> values) const {
  visit_elements(leaf, array, false, [&](const auto* elements) {
    elements += index * leaf.size;
    for (std::size_t i = 0; i < leaf.size; ++i) {
      const IntegerPart& part = leaf.integers[i];
      const std::int64_t place = static_cast<std::int64_t>(elements[i]) - part.low;
      if (place < 0 || place >= static_cast<std::int64_t>(part.value_count())) {
        throw Error("obs", fmt::format("{} is {}", part.name, static_cast<std::int64_t>(elements[i])),
                    fmt::format("it is from {} to {}", part.low,
                                part.low + static_cast<std::int64_t>(part.value_count()) - 1));
      }
      const std::uint32_t* row = part.values.data() + static_cast<std::size_t>(place) * part.groups.size();
      for (std::size_t g = 0; g < part.groups.size(); ++g) values[part.groups[g]] = row[g];
    }
  });
}

void ObservationEncoder::encode(std::span<const LeafArray> arrays, std::size_t index,
                                std::span<std::uint32_t> values, std::span<float> dense) const {
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    const LeafPlan& leaf = leaves_[k];
    if (!leaf.integers.empty()) {
      encode_integers(leaf, arrays[k], index, values);
      continue;
    }
    visit_elements(leaf, arrays[k], true, [&](const auto* elements) {
      elements += index * leaf.size;
      for (std::size_t i = 0; i < leaf.size; ++i) {
        const float number = static_cast<float>(elements[i]);
        if (!std::isfinite(number))
          throw Error("obs", fmt::format("element {} of {} is not finite", i, leaf.name));
        dense[leaf.dense_begin + i] = number;
      }
    });
  }
}

std::vector<LeafArray> leaf_arrays(const nb::object& sequence) {
  std::vector<LeafArray> arrays;
  for (nb::handle array : sequence) {
    LeafArray view;
    if (!nb::try_cast(array, view)) throw Error("obs", "is not an array of numbers");
    arrays.push_back(std::move(view));
  }
  return arrays;
}

void bind_encoder(nb::module_& module) {
  nb::class_<IntegerPart>(module, "IntegerPart", "An integer of an observation and the atoms it stands for.")
      .def(
          "__init__",
          [](IntegerPart* self, std::string name, std::int64_t low, std::vector<std::uint32_t> groups,
             std::vector<std::uint32_t> values) {
            new (self) IntegerPart{std::move(name), low, std::move(groups), std::move(values)};
          },
          nb::arg("name"), nb::arg("low"), nb::arg("groups"), nb::arg("values"));
  nb::class_<LeafPlan>(module, "LeafPlan", "One array of an observation, and how it is read.")
      .def(
          "__init__",
          [](LeafPlan* self, std::string name, std::size_t size, std::vector<IntegerPart> integers) {
            new (self) LeafPlan{std::move(name), size, std::move(integers), 0};
          },
          nb::arg("name"), nb::arg("size"), nb::arg("integers"));
  nb::class_<ObservationEncoder>(module, "ObservationEncoder",
                                 "Turns observations into the atoms and numbers of a vocabulary.")
      .def(
          "__init__",
          [](ObservationEncoder* self, const Vocabulary& vocabulary, std::vector<LeafPlan> leaves) {
            new (self) ObservationEncoder(std::make_shared<const Vocabulary>(vocabulary), std::move(leaves));
          },
          nb::arg("vocabulary"), nb::arg("leaves"))
      .def(
          "values",
          [](const ObservationEncoder& self, const nb::object& leaves) {
            const auto arrays = leaf_arrays(leaves);
            std::vector<std::vector<std::uint32_t>> rows;
            std::vector<float> dense(self.dense_size());
            for (std::size_t i = 0; i < self.batch_size(arrays); ++i) {
              rows.emplace_back(self.vocabulary()->group_count());
              self.encode(arrays, i, rows.back(), dense);
            }
            return rows;
          },
          nb::arg("leaves"), "The value of each group of atoms, one row per observation.");
}

}  // namespace ndnf::python
