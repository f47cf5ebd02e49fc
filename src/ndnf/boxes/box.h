#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

/// A product of value sets, one per group: the meaning of a conjunction when atoms come in groups, for
/// algorithms that grow, intersect and compare conjunctions. The sets only contain values of the scope's
/// domains, so boxes with equal meaning compare equal; literals() and box_of() convert without loss.
struct Box {
  std::vector<ValueSet> groups;
  auto operator<=>(const Box&) const = default;
};

/// The box that contains the whole scope.
Box everything(const Scope& scope);
/// The smallest box that contains these observations, given by their positions in the scope.
Box hull(const Scope& scope, std::span<const std::size_t> positions);
Box hull(const Scope& scope, const PositionSet& positions);
bool contains(const Box& box, std::span<const std::uint32_t> values);
/// The positions of the observations whose value in group g is one of these.
PositionSet admitted(const ValueSet& values, std::size_t g, const Scope& scope);
/// The positions of the observations in the box.
PositionSet members(const Box& box, const Scope& scope);
/// The intersection. If it is empty, some group has no values.
Box intersection(const Box& a, const Box& b);
/// True if no observation of the scope is in the box.
bool holds_nothing(const Box& box, const Scope& scope);

/// The box as a conjunction: `atom` for a group with a single value left, otherwise `not atom` for each
/// excluded value of the domain; nothing for a group with its whole domain. In ascending order of atoms.
Conjunction literals(const Box& box, const Scope& scope);
/// The box of a conjunction. It is empty if the literals contradict each other.
Box box_of(const Conjunction& conjunction, const Scope& scope);

/// A box of the same observations that needs few literals: it takes in every value that adds none.
Box simplified(const Box& box, const Scope& scope);

/// How many axis-parallel splits a decision tree needs to carve the box out: per group, how often one passes
/// between inside and outside along the values of the domain.
std::size_t splits(const Box& box, const Scope& scope);

}  // namespace ndnf
