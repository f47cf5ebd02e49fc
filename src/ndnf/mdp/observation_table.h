#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"

namespace ndnf {

/// The index of a distinct observation in its table.
using ObsId = std::uint32_t;

/// The distinct observations of a task, numbered in order of first appearance. A row holds one value per
/// group of the vocabulary (the index of the true atom; 0 or 1 for a single atom) and, for images and real
/// vectors, a dense row of numbers. Everything else (±1 vectors, facts) is derived from it. Rows are only
/// ever appended, except in a `buffer`.
class ObservationTable {
 public:
  /// `dense_size` is the length of each dense row, 0 for none.
  explicit ObservationTable(std::shared_ptr<const Vocabulary> vocabulary, std::size_t dense_size = 0);

  /// The id of the row with these contents, appended if it is new. Throws Error if a value is outside its
  /// group, the number of values or dense numbers is wrong, or a dense number is not finite.
  ObsId intern(std::span<const std::uint32_t> values, std::span<const float> dense = {});

  /// The id of the row with these contents, if there is one. REQUIRES: this is not a buffer.
  std::optional<ObsId> find(std::span<const std::uint32_t> values, std::span<const float> dense = {}) const;

  /// A table of `size` rows that are overwritten in place: for observations that are only passed on, of tasks
  /// with too many to be kept. Equal rows are not recognised.
  static ObservationTable buffer(std::shared_ptr<const Vocabulary> vocabulary, std::size_t dense_size,
                                 std::size_t size);
  bool is_buffer() const { return buffer_; }
  /// Overwrites a row; the numbers are checked as by `intern`. REQUIRES: this is a buffer.
  void overwrite(ObsId obs, std::span<const std::uint32_t> values, std::span<const float> dense = {});

  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::shared_ptr<const Vocabulary>& shared_vocabulary() const { return vocabulary_; }
  std::size_t size() const { return size_; }
  std::size_t dense_size() const { return dense_size_; }

  std::span<const std::uint32_t> values(ObsId obs) const {
    return {values_.data() + obs * vocabulary_->group_count(), vocabulary_->group_count()};
  }
  std::span<const float> dense(ObsId obs) const { return {dense_.data() + obs * dense_size_, dense_size_}; }
  bool holds(ObsId obs, AtomId atom) const;

  /// The true atoms, in the vocabulary's order.
  std::vector<AtomId> facts(ObsId obs) const;
  /// The true atoms by name and the quantities: "hand(18), dealer(9)", "angle 0.02 rad", or "no atom".
  std::string describe(ObsId obs) const;

  /// One number per atom: 1 if it is true, otherwise `falsehood` (−1 or 0, the input coding).
  template <class Scalar>
  void write_atoms(ObsId obs, Scalar falsehood, std::span<Scalar> out) const {
    std::fill(out.begin(), out.end(), falsehood);
    for (std::size_t g = 0; g < vocabulary_->group_count(); ++g) {
      const std::uint32_t value = values(obs)[g];
      if (vocabulary_->group(g).one_hot) {
        out[vocabulary_->first_atom(g) + value] = Scalar(1);
      } else if (value != 0) {
        out[vocabulary_->first_atom(g)] = Scalar(1);
      }
    }
  }

 private:
  std::uint64_t hash(std::span<const std::uint32_t> values, std::span<const float> dense) const;
  void validate(std::span<const std::uint32_t> values, std::span<const float> dense) const;
  /// The slot of the row with these contents, or the free one where it belongs.
  std::size_t slot_of(std::span<const std::uint32_t> values, std::span<const float> dense) const;
  void enlarge_index();

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::size_t dense_size_;
  std::size_t size_ = 0;
  bool buffer_ = false;
  std::vector<std::uint32_t> values_;  // (size, groups)
  std::vector<float> dense_;           // (size, dense_size)
  /// Ids by hash: open addressing with linear probing. Its size is a power of two, and a third of it is free.
  std::vector<ObsId> slots_;
};

}  // namespace ndnf
