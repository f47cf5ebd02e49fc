#include "ndnf/solvers/instances.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "ndnf/base/error.h"
#include "ndnf/solvers/grounding_text.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {
namespace {

/// N of `name(N)` or `name(N,…)`.
std::optional<std::size_t> number_in(std::string_view atom, std::string_view name) {
  if (!atom.starts_with(name) || atom.size() <= name.size() || atom[name.size()] != '(') return std::nullopt;
  std::size_t number = 0;
  const char* begin = atom.data() + name.size() + 1;
  if (std::from_chars(begin, atom.data() + atom.size(), number).ec != std::errc()) return std::nullopt;
  return number;
}

/// Natural order: hand(2) before hand(10).
bool natural_less(std::string_view a, std::string_view b) {
  const auto digits = [](std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
  };
  while (!a.empty() && !b.empty()) {
    const std::size_t x = digits(a);
    const std::size_t y = digits(b);
    if (x > 0 && y > 0 && x != y) return x < y;
    if (a[0] != b[0]) return a[0] < b[0];
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

bool literal_less(const BodyLiteral& a, const BodyLiteral& b) {
  return a.atom == b.atom ? a.positive < b.positive : natural_less(a.atom, b.atom);
}

bool rule_less(const Rule& a, const Rule& b) {
  if (a.heads[0].atom != b.heads[0].atom) return natural_less(a.heads[0].atom, b.heads[0].atom);
  return std::lexicographical_compare(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
                                      literal_less);
}

bool same_rule(const Rule& a, const Rule& b) { return !rule_less(a, b) && !rule_less(b, a); }

/// The rules among clingo's lines: those with # are our own `#external`.
std::string rules_in(const std::string& output) {
  std::string rules;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size() - 1) + 1;
    if (output[begin] != '#') rules.append(output, begin, end - begin);
    begin = end;
  }
  return rules;
}

std::vector<Rule> parsed(const std::string& output) {
  try {
    return parse_instances(rules_in(output));
  } catch (const Error&) {
    throw Error("clingo", "wrote ground rules of an unexpected form");
  }
}

}  // namespace

Instances::Instances(const std::string& output, std::size_t statements) {
  for (Rule& rule : parsed(output)) add(std::move(rule), statements);
  for (auto& [some, atoms] : projected_) std::sort(atoms.begin(), atoms.end(), natural_less);
}

void Instances::add(Rule rule, std::size_t statements) {
  const std::string& head = rule.heads[0].atom;
  if (number_in(head, GroundingText::kSome)) {
    for (const BodyLiteral& literal : rule.body) projected_[head].push_back(literal.atom);
  } else if (const auto number = number_in(head, GroundingText::kValue)) {
    const std::size_t begin = head.find(',') + 1;
    values_.emplace_back(*number, head.substr(begin, head.size() - 1 - begin));
  } else {
    const auto marked = std::find_if(rule.body.begin(), rule.body.end(), [](const BodyLiteral& literal) {
      return number_in(literal.atom, GroundingText::kMark).has_value();
    });
    if (marked == rule.body.end()) throw Error("clingo", "wrote an unexpected rule");
    const std::size_t statement = *number_in(marked->atom, GroundingText::kMark);
    rule.body.erase(marked);
    if (statement < statements) rules_[statement].push_back(std::move(rule));
  }
}

std::vector<Rule> Instances::take(std::size_t statement) {
  std::vector<Rule> rules = std::move(rules_[statement]);
  for (Rule& rule : rules) tidy(rule);
  std::sort(rules.begin(), rules.end(), rule_less);
  rules.erase(std::unique(rules.begin(), rules.end(), same_rule), rules.end());
  return rules;
}

/// not ndnf_some(…) means that none of the atoms holds that it represents.
void Instances::tidy(Rule& rule) const {
  std::vector<BodyLiteral> body;
  const auto add = [&](const std::string& atom, bool positive) {
    const bool repeated = std::any_of(body.begin(), body.end(), [&](const BodyLiteral& literal) {
      return literal.atom == atom && literal.positive == positive;
    });
    if (!repeated) body.push_back({atom, positive, {}});
  };
  for (const BodyLiteral& literal : rule.body) {
    if (const auto atoms = projected_.find(literal.atom); atoms == projected_.end()) {
      add(literal.atom, literal.positive);
    } else {
      for (const std::string& atom : atoms->second) add(atom, literal.positive);
    }
  }
  rule.body = std::move(body);
}

std::vector<std::size_t> count_instances(std::string_view output, std::size_t statements) {
  std::vector<std::size_t> counts(statements, 0);
  constexpr std::string_view kMark = GroundingText::kMark;
  for (std::size_t at = output.find(kMark); at != std::string_view::npos; at = output.find(kMark, at + 1)) {
    const auto statement = number_in(output.substr(at), kMark);
    const bool mark = at > 0 && (output[at - 1] == '-' || output[at - 1] == ',');  // not its #external
    if (mark && statement && *statement < statements) ++counts[*statement];
  }
  return counts;
}

}  // namespace ndnf
