#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"

namespace ndnf::testing {

/// Groups a, b, c, … with atoms a0, a1, …; a size of 1 makes a single atom. Actions do0, do1, …
inline std::shared_ptr<const Vocabulary> lettered_vocabulary(const std::vector<std::size_t>& group_sizes,
                                                             std::size_t action_count = 2) {
  std::vector<AtomGroup> groups;
  for (const std::size_t size : group_sizes) {
    const std::string letter(1, static_cast<char>('a' + groups.size()));
    groups.push_back(size == 1 ? AtomGroup::single(letter) : AtomGroup::numbered(letter, letter, size));
  }
  std::vector<std::string> actions;
  for (std::size_t a = 0; a < action_count; ++a) actions.push_back(fmt::format("do{}", a));
  return std::make_shared<Vocabulary>(std::move(groups), std::move(actions));
}

/// All rows, in their order, over lettered groups.
inline Scope lettered_scope(const std::vector<std::size_t>& group_sizes,
                            const std::vector<std::vector<std::uint32_t>>& rows,
                            std::size_t action_count = 2) {
  auto table = std::make_shared<ObservationTable>(lettered_vocabulary(group_sizes, action_count));
  for (const std::vector<std::uint32_t>& row : rows) table->intern(row);
  std::vector<ObsId> all(table->size());
  std::iota(all.begin(), all.end(), ObsId{0});
  return {table, all};
}

/// All values of two single atoms a and b.
inline Scope square() { return lettered_scope({1, 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}); }

/// Uniform over 0, 1, …, end − 1 (RapidCheck by itself starts with small numbers).
template <class Number>
Number any_below(Number end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Number>(0, end));
}

/// At most `most` distinct random observations over two to four small groups.
inline Scope random_scope(std::size_t most, std::size_t action_count = 2) {
  std::vector<std::size_t> sizes(2 + any_below<std::size_t>(3));
  for (std::size_t& size : sizes) size = 1 + any_below<std::size_t>(4);
  std::vector<std::vector<std::uint32_t>> rows(most / 2 + 1 + any_below(most / 2));
  for (std::vector<std::uint32_t>& row : rows) {
    for (const std::size_t size : sizes) {
      row.push_back(any_below(size == 1 ? 2 : static_cast<std::uint32_t>(size)));
    }
  }
  return lettered_scope(sizes, rows, action_count);
}

/// An action for each observation or, if there may be ties, sometimes several.
inline std::vector<std::uint64_t> random_actions(const Scope& scope, bool ties) {
  const std::size_t count = scope.vocabulary().action_count();
  std::vector<std::uint64_t> allowed(scope.size());
  for (std::uint64_t& mask : allowed) {
    mask = std::uint64_t{1} << any_below(count);
    if (ties && any_below(3) == 0) mask |= any_below(std::uint64_t{1} << count);
  }
  return allowed;
}

/// Whether all literals hold in the i-th observation of the scope.
inline bool satisfies(const Scope& scope, std::size_t i, const std::vector<AtomLiteral>& conjunction) {
  return std::all_of(conjunction.begin(), conjunction.end(), [&](const AtomLiteral& literal) {
    return scope.table().holds(scope.observations()[i], literal.atom) == literal.positive;
  });
}

/// The positions whose bit is set in a number.
inline PositionSet positions_of(const Scope& scope, std::uint64_t bits) {
  PositionSet set(scope.size());
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if ((bits >> i & 1) != 0) set.insert(i);
  }
  return set;
}

/// By definition: the largest of all subsets whose hull contains nothing outside.
inline std::vector<PositionSet> maximal_sets_by_trying(const Scope& scope, const PositionSet& inside) {
  std::vector<PositionSet> legal;
  for (std::uint64_t bits = 1; bits < std::uint64_t{1} << scope.size(); ++bits) {
    const PositionSet set = positions_of(scope, bits);
    if (members(hull(scope, set), scope) == set && set.is_subset_of(inside)) legal.push_back(set);
  }
  std::vector<PositionSet> maximal;
  for (const PositionSet& set : legal) {
    const bool within_another = std::any_of(legal.begin(), legal.end(), [&](const PositionSet& other) {
      return other != set && set.is_subset_of(other);
    });
    if (!within_another) maximal.push_back(set);
  }
  std::sort(maximal.begin(), maximal.end());
  return maximal;
}

}  // namespace ndnf::testing
