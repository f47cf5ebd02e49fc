#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "ndnf/mdp/vocabulary.h"

namespace ndnf::python {

/// One array of a batch of observations, C-contiguous, the observations one after the other.
using LeafArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

/// An integer of a foreign observation and the groups of atoms whose values it determines: FrozenLake's
/// state 6 is row(1), col(2).
struct IntegerPart {
  std::string name;
  std::int64_t low = 0;               ///< Its smallest value.
  std::vector<std::uint32_t> groups;  ///< At least one.
  std::vector<std::uint32_t> values;  ///< (values of the integer, groups)

  std::size_t value_count() const { return values.size() / groups.size(); }
};

/// One array in a foreign observation: integers, or numbers that are kept as they are.
struct LeafPlan {
  std::string name;
  std::size_t size = 0;               ///< Elements in one observation.
  std::vector<IntegerPart> integers;  ///< One per element; empty for numbers.
  std::size_t dense_begin = 0;        ///< Where the numbers go in the dense row.
};

/// Turns batches of foreign observations into rows of an ObservationTable. Shared and immutable.
class ObservationEncoder {
 public:
  ObservationEncoder(std::shared_ptr<const Vocabulary> vocabulary, std::vector<LeafPlan> leaves);
  /// The same plan for an equal vocabulary, of which no second copy is kept.
  ObservationEncoder(std::shared_ptr<const Vocabulary> vocabulary, const ObservationEncoder& other)
      : ObservationEncoder(std::move(vocabulary), other.leaves_) {}

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t dense_size() const { return dense_size_; }
  std::size_t leaf_count() const { return leaves_.size(); }
  const std::vector<LeafPlan>& leaves() const { return leaves_; }
  /// The number of observations in these arrays. Throws Error if they do not fit the plan.
  std::size_t batch_size(std::span<const LeafArray> arrays) const;

  /// Writes the values of the groups and the dense row of one observation of a batch. Throws Error naming
  /// the part that is out of range or not finite.
  void encode(std::span<const LeafArray> arrays, std::size_t index, std::span<std::uint32_t> values,
              std::span<float> dense) const;

 private:
  void encode_integers(const LeafPlan& leaf, const LeafArray& array, std::size_t index,
                       std::span<std::uint32_t> values) const;

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::vector<LeafPlan> leaves_;
  std::size_t dense_size_ = 0;
};

/// The arrays of a Python sequence. REQUIRES: the GIL is held.
std::vector<LeafArray> leaf_arrays(const nanobind::object& sequence);

void bind_encoder(nanobind::module_& module);

}  // namespace ndnf::python
