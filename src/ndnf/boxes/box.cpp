#include "ndnf/boxes/box.h"

#include <algorithm>

namespace ndnf {

Box everything(const Scope& scope) {
  Box box;
  for (std::size_t g = 0; g < scope.vocabulary().group_count(); ++g) box.groups.push_back(scope.domain(g));
  return box;
}

Box hull(const Scope& scope, std::span<const std::size_t> positions) {
  Box box;
  for (std::size_t g = 0; g < scope.vocabulary().group_count(); ++g) {
    ValueSet& set = box.groups.emplace_back(scope.vocabulary().group(g).value_count());
    for (const std::size_t i : positions) set.insert(scope.values(i)[g]);
  }
  return box;
}

Box hull(const Scope& scope, const PositionSet& positions) {
  const std::vector<std::uint32_t> values = positions.values();
  return hull(scope, std::vector<std::size_t>(values.begin(), values.end()));
}

bool contains(const Box& box, std::span<const std::uint32_t> values) {
  for (std::size_t g = 0; g < values.size(); ++g) {
    if (!box.groups[g].contains(values[g])) return false;
  }
  return true;
}

PositionSet admitted(const ValueSet& values, std::size_t g, const Scope& scope) {
  ValueSet excluded = scope.domain(g);
  excluded -= values;
  if (values.size() <= excluded.size()) {
    PositionSet held(scope.size());
    values.for_each([&](std::uint32_t value) {
      for (const std::uint32_t i : scope.positions(g, value)) held.insert(i);
    });
    return held;
  }
  PositionSet held = PositionSet::first(scope.size());
  excluded.for_each([&](std::uint32_t value) {
    for (const std::uint32_t i : scope.positions(g, value)) held.erase(i);
  });
  return held;
}

PositionSet members(const Box& box, const Scope& scope) {
  PositionSet held = PositionSet::first(scope.size());
  for (std::size_t g = 0; g < box.groups.size(); ++g) {
    if (box.groups[g] != scope.domain(g)) held &= admitted(box.groups[g], g, scope);
  }
  return held;
}

Box intersection(const Box& a, const Box& b) {
  Box both = a;
  for (std::size_t g = 0; g < both.groups.size(); ++g) both.groups[g] &= b.groups[g];
  return both;
}

bool holds_nothing(const Box& box, const Scope& scope) { return members(box, scope).empty(); }

namespace {

void add_literals(const ValueSet& set, const ValueSet& domain, const AtomGroup& group, AtomId first,
                  Conjunction& out) {
  if (!group.one_hot) {
    for (const std::uint32_t value : domain.values()) {
      if (!set.contains(value)) out.push_back({first, value == 0});
    }
    return;
  }
  if (set.size() == 1) {
    out.push_back({first + set.values().front(), true});
    return;
  }
  for (const std::uint32_t value : domain.values()) {
    if (!set.contains(value)) out.push_back({first + value, false});
  }
}

}  // namespace

Conjunction literals(const Box& box, const Scope& scope) {
  const Vocabulary& vocabulary = scope.vocabulary();
  Conjunction out;
  for (std::size_t g = 0; g < vocabulary.group_count(); ++g) {
    if (box.groups[g] == scope.domain(g)) continue;
    add_literals(box.groups[g], scope.domain(g), vocabulary.group(g), vocabulary.first_atom(g), out);
  }
  return out;
}

Box box_of(const Conjunction& conjunction, const Scope& scope) {
  const Vocabulary& vocabulary = scope.vocabulary();
  Box box = everything(scope);
  for (const AtomLiteral& literal : conjunction) {
    const std::size_t g = vocabulary.group_of(literal.atom);
    const bool one_hot = vocabulary.group(g).one_hot;
    const std::uint32_t value = one_hot ? literal.atom - vocabulary.first_atom(g) : 1;
    if (literal.positive) {
      ValueSet only(vocabulary.group(g).value_count());
      only.insert(value);
      box.groups[g] &= only;
    } else {
      box.groups[g].erase(value);
    }
  }
  return box;
}

Box simplified(const Box& box, const Scope& scope) {
  const PositionSet inside = members(box, scope);
  Box result = hull(scope, inside);
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    Box wider = result;
    wider.groups[g] = scope.domain(g);
    PositionSet added = members(wider, scope);
    added -= inside;
    for (const std::uint32_t i : added.values()) wider.groups[g].erase(scope.values(i)[g]);
    // One value is one literal; a set of several is one literal for each value left out.
    if (result.groups[g].size() > 1 || wider.groups[g] == scope.domain(g)) result = std::move(wider);
  }
  return result;
}

std::size_t splits(const Box& box, const Scope& scope) {
  std::size_t count = 0;
  for (std::size_t g = 0; g < box.groups.size(); ++g) {
    const std::vector<std::uint32_t> domain = scope.domain(g).values();
    for (std::size_t k = 1; k < domain.size(); ++k) {
      if (box.groups[g].contains(domain[k - 1]) != box.groups[g].contains(domain[k])) ++count;
    }
  }
  return count;
}

}  // namespace ndnf
