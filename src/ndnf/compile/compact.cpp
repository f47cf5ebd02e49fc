#include "ndnf/compile/compact.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/boxes/box.h"

namespace ndnf {
namespace {

// "hand" if the group's atoms are hand(0), hand(1), …
std::optional<std::string> numbered_name(const AtomGroup& group) {
  if (!group.one_hot) return std::nullopt;
  const std::string name = group.atoms[0].substr(0, group.atoms[0].find('('));
  for (std::size_t v = 0; v < group.atoms.size(); ++v) {
    if (group.atoms[v] != fmt::format("{}({})", name, v)) return std::nullopt;
  }
  return name;
}

// The set as runs of neighbours in the domain: "12..16", "17".
std::vector<std::string> runs(const ValueSet& set, const ValueSet& domain) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> intervals;
  bool open = false;
  for (const std::uint32_t value : domain.values()) {
    if (set.contains(value)) {
      if (!open) intervals.emplace_back(value, value);
      intervals.back().second = value;
    }
    open = set.contains(value);
  }
  std::vector<std::string> texts;
  for (const auto& [first, last] : intervals) {
    texts.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last));
  }
  return texts;
}

std::vector<BodyLiteral> compacted(const std::vector<BodyLiteral>& body, const Scope& scope) {
  const Vocabulary& vocabulary = scope.vocabulary();
  std::vector<BodyLiteral> result;
  std::map<std::size_t, std::vector<BodyLiteral>> by_group;
  Conjunction observed;
  for (const BodyLiteral& literal : body) {
    if (const auto atom = vocabulary.find_atom(literal.atom)) {
      observed.push_back({*atom, literal.positive});
      by_group[vocabulary.group_of(*atom)].push_back(literal);
    } else {
      result.push_back(literal);
    }
  }
  const Box box = box_of(observed, scope);
  for (auto& [g, own] : by_group) {
    const auto name = numbered_name(vocabulary.group(g));
    const std::vector<std::string> texts = runs(box.groups[g], scope.domain(g));
    if (name && !texts.empty() && texts.size() <= own.size()) {
      result.push_back({fmt::format("{}({})", *name, fmt::join(texts, ";")), true, {}});
    } else {
      std::move(own.begin(), own.end(), std::back_inserter(result));
    }
  }
  return result;
}

}  // namespace

Program compacted(const Program& program, const Scope& scope) {
  Program result = program;
  for (Statement& statement : result.statements) {
    if (Rule* rule = std::get_if<Rule>(&statement.content)) rule->body = compacted(rule->body, scope);
  }
  return result;
}

}  // namespace ndnf
