#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ndnf {

/// Many discrete distributions, each sampled in constant time with one 32-bit random word (Walker's alias
/// method, Vose's construction). Probabilities are stored with a resolution of 2⁻³².
class AliasTable {
 public:
  /// Appends a distribution with one entry per probability. The probabilities may have any positive sum. A
  /// row that sums to 0 (an undefined row, never sampled) always picks its first entry.
  void add_row(std::span<const double> probabilities);

  void reserve(std::size_t rows, std::size_t entries);

  std::size_t row_count() const { return rows_.size(); }

  class View;
  /// For inner loops: a copy of the table's pointers, which the compiler can keep in registers.
  View view() const;

 private:
  struct Row {
    std::uint32_t begin;
    std::uint32_t count;
  };
  struct Slot {
    std::uint32_t threshold;
    std::uint32_t alias;
  };

  std::vector<Row> rows_;
  std::vector<Slot> slots_;
};

class AliasTable::View {
 public:
  /// The entry sampled from a row, counted over all rows.
  std::size_t pick(std::size_t row, std::uint32_t word) const {
    const Row r = rows_[row];
    const std::uint64_t product = static_cast<std::uint64_t>(word) * r.count;
    const std::size_t slot = r.begin + static_cast<std::size_t>(product >> 32);
    const Slot s = slots_[slot];
    return static_cast<std::uint32_t>(product) < s.threshold ? slot : s.alias;
  }

 private:
  friend class AliasTable;
  View(const Row* rows, const Slot* slots) : rows_(rows), slots_(slots) {}

  const Row* rows_;
  const Slot* slots_;
};

inline AliasTable::View AliasTable::view() const { return {rows_.data(), slots_.data()}; }

}  // namespace ndnf
