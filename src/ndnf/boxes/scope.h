#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// A set of small numbers, such as the values that a group of atoms can take.
class ValueSet {
 public:
  ValueSet() = default;
  explicit ValueSet(std::size_t value_count) : words_((value_count + 63) / 64) {}
  /// 0, 1, …, value_count − 1.
  static ValueSet first(std::size_t value_count);

  bool contains(std::size_t value) const { return (words_[value / 64] >> (value % 64) & 1) != 0; }
  void insert(std::size_t value) { words_[value / 64] |= std::uint64_t{1} << (value % 64); }
  void erase(std::size_t value) { words_[value / 64] &= ~(std::uint64_t{1} << (value % 64)); }
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  bool is_subset_of(const ValueSet& other) const;
  bool intersects(const ValueSet& other) const;
  /// The values in ascending order.
  std::vector<std::uint32_t> values() const;

  ValueSet& operator|=(const ValueSet& other);
  ValueSet& operator&=(const ValueSet& other);
  ValueSet& operator-=(const ValueSet& other);
  auto operator<=>(const ValueSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// A set of positions in a scope.
using PositionSet = ValueSet;
/// The size of the intersection.
inline std::size_t common(PositionSet a, const PositionSet& b) { return (a &= b).size(); }

/// The observations on which an extraction must be correct. All others, and all values that none of these
/// has, are don't-cares.
class Scope {
 public:
  /// REQUIRES: `observations` is not empty, ascending, and from the table.
  Scope(std::shared_ptr<const ObservationTable> table, std::vector<ObsId> observations);

  const ObservationTable& table() const { return *table_; }
  const std::shared_ptr<const ObservationTable>& shared_table() const { return table_; }
  const Vocabulary& vocabulary() const { return table_->vocabulary(); }

  std::size_t size() const { return observations_.size(); }
  std::span<const ObsId> observations() const { return observations_; }
  /// The values of the i-th observation, one per group.
  std::span<const std::uint32_t> values(std::size_t i) const { return table_->values(observations_[i]); }
  /// The values of group g that occur in some observation.
  const ValueSet& domain(std::size_t g) const { return domains_[g]; }
  /// The positions of the observations with this value of group g.
  const PositionSet& showing(std::size_t g, std::size_t value) const { return showing_[g][value]; }

 private:
  std::shared_ptr<const ObservationTable> table_;
  std::vector<ObsId> observations_;
  std::vector<ValueSet> domains_;                  // one per group
  std::vector<std::vector<PositionSet>> showing_;  // per group and value
};

}  // namespace ndnf
