#include "ndnf/solvers/instances.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "ndnf/base/error.h"
#include "ndnf/solvers/grounding_text.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/token_stream.h"

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

ParsedProgram parsed_rules(const std::string& output, const std::string& source) {
  try {
    return parse_instances(rules_in(output));
  } catch (const Error&) {
    if (output.find("-2147483648") != std::string::npos)  // clingo has it, but cannot read it
      throw Error(source, "a sum in it is -2147483648", "whole numbers go from -2147483647 to 2147483647");
    throw Error("clingo", "wrote ground rules of an unexpected form");
  }
}

/// The statement whose mark a rule has.
template <class Body, class AtomOf>
std::size_t take_mark(Body& body, const AtomOf& atom_of) {
  const auto marked = std::find_if(body.begin(), body.end(), [&](const auto& literal) {
    return number_in(atom_of(literal), GroundingText::kMark).has_value();
  });
  if (marked == body.end()) throw Error("clingo", "wrote an unexpected rule");
  const std::size_t statement = *number_in(atom_of(*marked), GroundingText::kMark);
  body.erase(marked);
  return statement;
}

/// The bounds of comparisons may be sums, now of numbers.
void add_up_bounds(Rule& rule, const ParsedProgram& parsed, const Vocabulary& vocabulary) {
  try {
    for (BodyLiteral& literal : rule.body) {
      if (const auto comparison = comparison_of(literal.atom, vocabulary))
        literal.atom = comparison_atom(*comparison, vocabulary);
    }
  } catch (const Error& error) {
    const std::size_t statement = take_mark(rule.body, [](const BodyLiteral& own) { return own.atom; });
    Place place;
    for (const OpenRule& open : parsed.open) {
      if (open.statement == statement) place = open.place();
    }
    const Complaint& complaint = error.complaints().front();
    throw Error({parsed.program.source, place}, complaint.what, complaint.hint);
  }
}

}  // namespace

Instances::Instances(const std::string& output, const ParsedProgram& parsed, const Vocabulary& vocabulary)
    : statements_(parsed.program.statements.size()), aggregates_(projected_, vocabulary) {
  ParsedProgram rules = parsed_rules(output, parsed.program.source);
  for (Statement& statement : rules.program.statements) {
    Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr || rule->heads.empty()) continue;
    add_up_bounds(*rule, parsed, vocabulary);
    add(std::move(*rule));
  }
  for (auto& [some, atoms] : projected_) std::sort(atoms.begin(), atoms.end(), natural_less);
  for (const OpenRule& rule : rules.open) add(rule);
  for (const OpenRule& source : parsed.open) {
    if (!source.choice.empty()) add_choices(source, std::exchange(rules_[source.statement], {}));
  }
}

void Instances::add(Rule rule) {
  const std::string& head = rule.heads[0].atom;
  if (number_in(head, GroundingText::kSome)) {
    for (const BodyLiteral& literal : rule.body) projected_[head].push_back(literal.atom);
  } else if (const auto number = number_in(head, GroundingText::kValue)) {
    const std::size_t begin = head.find(',') + 1;
    values_.emplace_back(*number, head.substr(begin, head.size() - 1 - begin));
  } else {
    const std::size_t statement =
        take_mark(rule.body, [](const BodyLiteral& literal) { return literal.atom; });
    if (statement < statements_) rules_[statement].push_back(std::move(rule));
  }
}

/// A rule with aggregates or conditional literals.
void Instances::add(const OpenRule& rule) {
  OpenRule unmarked = rule;
  const std::size_t statement =
      take_mark(unmarked.body, [](const OpenLiteral& literal) { return to_text(literal.left); });
  if (statement >= statements_) return;
  try {
    auto rewritten = aggregates_.rewrite(unmarked);
    for (Rule& definition : aggregates_.take_definitions())
      definitions_[statement].push_back(std::move(definition));
    if (rewritten) rules_[statement].push_back(*std::move(rewritten));
  } catch (const Wrong& wrong) {
    aggregates_.take_definitions();
    const bool known = std::any_of(problems_.begin(), problems_.end(),
                                   [&](const Problem& problem) { return problem.statement == statement; });
    if (!known) problems_.push_back({statement, wrong.what});
  }
}

/// The bodies of each choice, together: ndnf_choice(S,(X,…),H,…) for each substitution.
void Instances::add_choices(const OpenRule& source, std::vector<Rule> bodies) {
  for (Rule& rule : bodies) tidy(rule);
  std::sort(bodies.begin(), bodies.end(), rule_less);
  for (auto begin = bodies.begin(); begin != bodies.end();) {
    const auto end = std::find_if(
        begin, bodies.end(), [&](const Rule& rule) { return rule.heads[0].atom != begin->heads[0].atom; });
    std::vector<std::vector<BodyLiteral>> all;
    std::transform(begin, end, std::back_inserter(all), [](const Rule& rule) { return rule.body; });
    const bool certain = std::any_of(all.begin(), all.end(), [](const auto& body) { return body.empty(); });
    Rule choice{{}, {}, {}, {}};
    const std::vector<std::string_view> parts = arguments(begin->heads[0].atom);
    for (std::size_t i = 0; i < source.choice.size(); ++i) {
      choice.heads.push_back({std::string(parts.at(i + 2)), source.choice[i].probability, true, {}});
    }
    if (!certain) choice.body = all.size() == 1 ? all[0] : std::vector<BodyLiteral>{aggregates_.any_of(all)};
    for (Rule& definition : aggregates_.take_definitions()) {
      definitions_[source.statement].push_back(std::move(definition));
    }
    rules_[source.statement].push_back(std::move(choice));
    begin = end;
  }
}

std::vector<Rule> Instances::take(std::size_t statement) {
  std::vector<Rule> rules = std::move(rules_[statement]);
  const bool choices = !rules.empty() && rules[0].heads[0].annotated;
  if (!choices) {  // equal choices are independent, equal rules are redundant
    for (Rule& rule : rules) tidy(rule);
    std::sort(rules.begin(), rules.end(), rule_less);
    rules.erase(std::unique(rules.begin(), rules.end(), same_rule), rules.end());
  }
  std::vector<Rule> all = std::move(definitions_[statement]);
  std::move(rules.begin(), rules.end(), std::back_inserter(all));
  return all;
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
