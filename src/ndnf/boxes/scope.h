#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
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
  bool empty() const;
  bool is_subset_of(const ValueSet& other) const;
  bool intersects(const ValueSet& other) const;
  /// The values in ascending order.
  std::vector<std::uint32_t> values() const;
  /// Calls visit(value) for every value, in ascending order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
  /// Numbers below 64 · words().size(), as bits.
  std::span<const std::uint64_t> words() const { return words_; }

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
std::size_t common(const PositionSet& a, const PositionSet& b);

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
  /// Per position, the first one with the same atoms: no rule can tell the two apart.
  std::vector<std::uint32_t> first_alike() const;
  /// The values of group g that occur in some observation.
  const ValueSet& domain(std::size_t g) const { return domains_[g]; }
  /// The groups of which more than one value occurs; the others tell nothing apart.
  std::span<const std::size_t> varying_groups() const { return varying_; }
  /// The positions of the observations with this value of group g, ascending.
  std::span<const std::uint32_t> positions(std::size_t g, std::size_t value) const {
    const Group& group = groups_[g];
    return {group.positions.data() + group.begins[value], group.begins[value + 1] - group.begins[value]};
  }
  /// The same as a set. All these sets are made when the first is asked for: for algorithms whose time grows
  /// faster than their memory, size × all values in bits.
  const PositionSet& showing(std::size_t g, std::size_t value) const { return sets()[g][value]; }

 private:
  /// The positions, sorted by their value in one group.
  struct Group {
    std::vector<std::uint32_t> positions;
    std::vector<std::size_t> begins;  // per value, and the end
  };
  using Sets = std::vector<std::vector<PositionSet>>;  // per group and value
  struct LazySets {
    std::once_flag made;
    Sets sets;
  };
  const Sets& sets() const;

  std::shared_ptr<const ObservationTable> table_;
  std::vector<ObsId> observations_;
  std::vector<ValueSet> domains_;  // one per group
  std::vector<std::size_t> varying_;
  std::vector<Group> groups_;
  std::shared_ptr<LazySets> lazy_ = std::make_shared<LazySets>();  // copies of a scope have the same sets
};

}  // namespace ndnf
