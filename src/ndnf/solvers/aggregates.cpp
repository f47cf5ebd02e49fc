#include "ndnf/solvers/aggregates.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <set>

#include <fmt/format.h>

#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

std::optional<std::int64_t> number_of(const Term& term) {
  std::int64_t value = 0;
  if (term.kind != Term::Kind::kNumber) return std::nullopt;
  std::from_chars(term.text.data(), term.text.data() + term.text.size(), value);
  return value;
}

}  // namespace

/// The value of an aggregate or guard in clingo's order of terms: #inf, numbers, all other terms, #sup.
struct AggregateRules::Value {
  enum Rank : std::uint8_t { kLeast, kNumber, kOther, kGreatest };
  Rank rank = kNumber;
  std::int64_t number = 0;
  friend auto operator<=>(const Value&, const Value&) = default;
};

/// The guards of an aggregate, as `aggregate comparison value`.
class AggregateRules::Guards {
 public:
  explicit Guards(const OpenLiteral& literal) {
    if (!literal.comparison.empty())
      guards_.push_back({mirrored(literal.comparison), value_of(literal.left)});
    if (!literal.upper.empty()) guards_.push_back({literal.upper, value_of(literal.right)});
  }

  bool accept(const Value& value) const { return decided(value, value) == true; }

  /// Whether all values from `least` to `greatest` are accepted, or none; nothing if that is not clear.
  std::optional<bool> decided(const Value& least, const Value& greatest) const {
    bool all = true;
    for (const Guard& guard : guards_) {
      const auto [some, every] = range(guard, least, greatest);
      if (!some) return false;
      all = all && every;
    }
    return all ? std::optional(true) : std::nullopt;
  }

 private:
  static Value value_of(const Term& term) {
    if (const auto number = number_of(term)) return {Value::kNumber, *number};
    if (term.text == "#inf") return {Value::kLeast, 0};
    return {term.text == "#sup" ? Value::kGreatest : Value::kOther, 0};
  }

  struct Guard {
    std::string comparison;
    Value value;
  };

  static std::string mirrored(const std::string& comparison) {
    if (comparison == "<") return ">";
    if (comparison == "<=") return ">=";
    if (comparison == ">") return "<";
    return comparison == ">=" ? "<=" : comparison;
  }

  /// Whether some, and whether every value between two passes a guard.
  static std::pair<bool, bool> range(const Guard& guard, const Value& least, const Value& greatest) {
    const Value& bound = guard.value;
    if (guard.comparison == "<") return {least < bound, greatest < bound};
    if (guard.comparison == "<=") return {least <= bound, greatest <= bound};
    if (guard.comparison == ">") return {greatest > bound, least > bound};
    if (guard.comparison == ">=") return {greatest >= bound, least >= bound};
    const bool inside = least <= bound && bound <= greatest;
    const bool only = least == bound && greatest == bound;
    if (guard.comparison == "=") return {inside, only};
    return {!only, !inside};
  }

  std::vector<Guard> guards_;
};

/// The decision diagram of a sum: at step i with the sum so far as state. A step is one element, or several
/// that exclude each other.
class AggregateRules::Sum {
 public:
  Sum(AggregateRules& rules, const OpenLiteral& literal, const std::vector<Entry>& entries)
      : rules_(rules), guards_(literal) {
    for (const Entry& entry : entries) step_for(entry).push_back(entry);
    rest_.resize(steps_.size() + 1);
    for (std::size_t i = steps_.size(); i-- > 0;) {
      std::int64_t least = 0;
      std::int64_t greatest = 0;
      for (const Entry& entry : steps_[i]) {
        least = std::min(least, entry.weight);
        greatest = std::max(greatest, entry.weight);
      }
      rest_[i] = {rest_[i + 1].first + least, rest_[i + 1].second + greatest};
    }
  }

  Truth from(std::size_t i, std::int64_t sum) {
    const auto decided =
        guards_.decided({Value::kNumber, sum + rest_[i].first}, {Value::kNumber, sum + rest_[i].second});
    if (decided) return always(*decided);
    const auto found = known_.find({i, sum});
    if (found != known_.end()) return found->second;
    if (known_.size() > kMost) refuse();
    const Truth none = from(i + 1, sum);
    std::vector<std::pair<Truth, Truth>> cases;
    for (const Entry& entry : steps_[i]) cases.emplace_back(entry.holds, from(i + 1, sum + entry.weight));
    return known_[{i, sum}] = cases.size() == 1 ? rules_.branch(cases[0].first, cases[0].second, none)
                                                : rules_.branch(cases, none);
  }

 private:
  /// The step of an element: with those that need another atom of its group.
  std::vector<Entry>& step_for(const Entry& entry) {
    if (!entry.needs || entry.holds.constant) return steps_.emplace_back();
    const std::size_t group = rules_.vocabulary_.group_of(*entry.needs);
    if (!atoms_.insert(*entry.needs).second) return steps_.emplace_back();
    const auto [step, is_new] = step_of_group_.emplace(group, steps_.size());
    return is_new ? steps_.emplace_back() : steps_[step->second];
  }

  AggregateRules& rules_;
  Guards guards_;
  std::vector<std::vector<Entry>> steps_;
  std::map<std::size_t, std::size_t> step_of_group_;
  std::set<AtomId> atoms_;                                   ///< Of elements in steps of groups.
  std::vector<std::pair<std::int64_t, std::int64_t>> rest_;  ///< The least and greatest sum of what follows.
  std::map<std::pair<std::size_t, std::int64_t>, Truth> known_;
};

std::optional<Rule> AggregateRules::rewrite(const OpenRule& ground) {
  auto body = conjunction(ground.body);
  if (!body) return std::nullopt;
  return Rule{{{to_text(ground.head), 1, false, {}}}, *std::move(body), {}, {}};
}

BodyLiteral AggregateRules::any_of(const std::vector<Body>& bodies) { return disjunction(bodies).literal; }

AggregateRules::Truth AggregateRules::negated(Truth truth) {
  if (truth.constant) return always(!*truth.constant);
  truth.literal.positive = !truth.literal.positive;
  return truth;
}

std::optional<AggregateRules::Body> AggregateRules::conjunction(const OpenBody& body) {
  Body literals;
  for (const OpenLiteral& literal : body) {
    const Truth truth = truth_of(literal);
    if (truth.is(false)) return std::nullopt;
    const auto same = [&](const BodyLiteral& other) {
      return other.atom == truth.literal.atom && other.positive == truth.literal.positive;
    };
    if (!truth.constant && std::none_of(literals.begin(), literals.end(), same))
      literals.push_back(truth.literal);
  }
  return literals;
}

AggregateRules::Truth AggregateRules::truth_of(const OpenLiteral& literal) {
  if (literal.is_conditional()) return conditional(literal);
  if (literal.is_aggregate()) return literal.positive ? aggregate(literal) : negated(aggregate(literal));
  if (literal.is_comparison()) return always(literal.comparison == "=");  // #true and #false
  return atom(to_text(literal.left), literal.positive);
}

AggregateRules::Truth AggregateRules::atom(const std::string& name, bool positive) {
  const auto found = projections_.find(name);
  if (found == projections_.end()) return {std::nullopt, {name, positive, {}}};
  const auto [some, is_new] = some_.try_emplace(name);
  if (is_new) {
    std::vector<Body> bodies;
    for (const std::string& one : found->second) bodies.push_back({{one, true, {}}});
    some->second = disjunction(bodies);
  }
  return positive ? some->second : negated(some->second);
}

/// It fails if a condition holds and the literal does not.
AggregateRules::Truth AggregateRules::conditional(const OpenLiteral& literal) {
  OpenLiteral first = literal;
  first.aggregate.clear();
  first.elements.clear();
  const Truth fails = negated(truth_of(first));
  if (fails.is(false)) return always(true);
  std::vector<Body> failures;
  for (const OpenLiteral::Element& element : literal.elements) {
    auto body = conjunction(element.condition);
    if (!body) continue;
    if (!fails.constant) body->push_back(fails.literal);
    failures.push_back(*std::move(body));
  }
  return negated(disjunction(failures));
}

/// Equal tuples count once: they hold if one of their conditions does.
std::vector<AggregateRules::Entry> AggregateRules::entries(const OpenLiteral& literal) {
  const bool counts = literal.aggregate == "#count";
  const bool extremum = literal.aggregate == "#min" || literal.aggregate == "#max";
  std::map<std::string, std::size_t> numbers;
  std::vector<std::pair<std::int64_t, std::vector<Body>>> tuples;
  for (const OpenLiteral::Element& element : literal.elements) {
    const auto weight =
        counts || element.terms.empty() ? std::optional<std::int64_t>(1) : number_of(element.terms[0]);
    if (!weight && extremum) throw Wrong{{}, "the terms of #min and #max must be whole numbers"};
    if (!weight || (!counts && element.terms.empty())) continue;
    if (literal.aggregate == "#sum+" && *weight < 0) continue;
    auto body = conjunction(element.condition);
    if (!body) continue;
    const std::string tuple = to_text(Term{Term::Kind::kTuple, "", element.terms, {}});
    const auto [entry, is_new] = numbers.emplace(tuple, tuples.size());
    if (is_new) tuples.push_back({*weight, {}});
    tuples[entry->second].second.push_back(*std::move(body));
  }
  std::vector<Entry> all;
  for (const auto& [weight, bodies] : tuples) {
    all.push_back({disjunction(bodies), weight, bodies.size() == 1 ? one_hot_atom(bodies[0]) : std::nullopt});
  }
  return all;
}

std::optional<AtomId> AggregateRules::one_hot_atom(const Body& body) const {
  for (const BodyLiteral& literal : body) {
    const auto atom = literal.positive ? vocabulary_.find_atom(literal.atom) : std::nullopt;
    if (atom && vocabulary_.group(vocabulary_.group_of(*atom)).one_hot) return atom;
  }
  return std::nullopt;
}

AggregateRules::Truth AggregateRules::aggregate(const OpenLiteral& literal) {
  constexpr std::size_t kMostEntries = 10'000;
  std::vector<Entry> all = entries(literal);
  if (all.size() > kMostEntries) {
    throw Wrong{{},
                fmt::format("an aggregate of this rule has {} elements, expected at most {}", all.size(),
                            kMostEntries)};
  }
  if (literal.aggregate == "#min" || literal.aggregate == "#max") return extremum(literal, std::move(all));
  return Sum(*this, literal, std::move(all)).from(0, 0);
}

/// The first element that holds, in order, is the minimum or maximum.
AggregateRules::Truth AggregateRules::extremum(const OpenLiteral& literal, std::vector<Entry> entries) {
  const Guards guards(literal);
  const bool least = literal.aggregate == "#min";
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return least ? a.weight < b.weight : a.weight > b.weight;
  });
  Truth found = always(guards.accept({least ? Value::kGreatest : Value::kLeast, 0}));
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    found = branch(entry->holds, always(guards.accept({Value::kNumber, entry->weight})), found);
  }
  return found;
}

AggregateRules::Truth AggregateRules::branch(const Truth& test, const Truth& yes, const Truth& no) {
  if (test.constant) return *test.constant ? yes : no;
  if (yes.constant && yes.constant == no.constant) return yes;
  const auto with = [](const Truth& guard, const Truth& rest) -> Body {
    return rest.is(true) ? Body{guard.literal} : Body{guard.literal, rest.literal};
  };
  std::vector<Body> bodies;
  // What holds either way needs no test.
  if (!yes.is(false)) bodies.push_back(no.is(true) && !yes.constant ? Body{yes.literal} : with(test, yes));
  if (!no.is(false))
    bodies.push_back(yes.is(true) && !no.constant ? Body{no.literal} : with(negated(test), no));
  return disjunction(bodies);
}

AggregateRules::Truth AggregateRules::branch(const std::vector<std::pair<Truth, Truth>>& cases,
                                             const Truth& none) {
  std::vector<Body> bodies;
  Body otherwise;
  bool same = none.constant.has_value();
  for (const auto& [test, result] : cases) {
    same = same && result.constant == none.constant;
    otherwise.push_back(negated(test).literal);
    if (result.is(false)) continue;
    bodies.push_back({test.literal});
    if (!result.constant) bodies.back().push_back(result.literal);
  }
  if (same) return none;
  if (!none.constant) otherwise.push_back(none.literal);
  if (!none.is(false)) bodies.push_back(std::move(otherwise));
  return disjunction(bodies);
}

void AggregateRules::refuse() {
  throw Wrong{{}, fmt::format("the aggregates need more than {} auxiliary atoms, which is the limit", kMost)};
}

AggregateRules::Truth AggregateRules::disjunction(const std::vector<Body>& bodies) {
  if (bodies.empty()) return always(false);
  if (std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.empty(); }))
    return always(true);
  if (bodies.size() == 1 && bodies[0].size() == 1) return {std::nullopt, bodies[0][0]};
  if (++count_ > kMost) refuse();
  const std::string name = auxiliary_atom(count_);
  for (const Body& body : bodies) definitions_.push_back({{{name, 1, false, {}}}, body, {}, {}});
  return {std::nullopt, {name, true, {}}};
}

}  // namespace ndnf
