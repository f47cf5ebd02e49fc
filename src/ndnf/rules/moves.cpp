#include "ndnf/rules/moves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ndnf/base/elementary.h"
#include "ndnf/rules/linear.h"

namespace ndnf {
namespace {

constexpr double kMoreMoves = 0.3;    ///< The probability of one more move.
constexpr double kLinearShare = 0.3;  ///< Of the literals that are drawn.
constexpr double kLogTen = 2.302585092994046;

std::uint32_t drawn(std::size_t count, RandomSequence& random) {
  return random.below(static_cast<std::uint32_t>(count));
}

template <class Items>
auto place(Items& items, std::size_t index) {
  return items.begin() + static_cast<std::ptrdiff_t>(index);
}

std::int32_t sum_in(const SumLiteral& literal, const StateSample& visited, std::size_t state) {
  std::int32_t sum = 0;
  for (const SumTerm& term : literal.terms) sum += term.factor * visited.column(term.feature)[state];
  return sum;
}

}  // namespace

Moves::Moves(const Features& features, const std::vector<Spread>& spreads, const ListLimits& limits)
    : features_(features), spreads_(spreads), limits_(limits) {
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    if (!spreads[f].varies()) continue;
    varying_.push_back(f);
    if (!features[f].is_atom()) numbers_.push_back(f);
  }
}

RuleList Moves::changed(const RuleList& list, const StateSample& visited, const RuleList& other,
                        RandomSequence& random) const {
  RuleList result = list;
  if (random.below(4) == 0) {
    if (auto turned = with_end_turned(result)) result = std::move(*turned);
  }
  do {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries && !move(result, visited, other, random); ++i) {
    }
  } while (random.uniform() < kMoreMoves);
  result = simplified(std::move(result));
  return limits_.allow(result) ? result : list;
}

bool Moves::move(RuleList& list, const StateSample& visited, const RuleList& other,
                 RandomSequence& random) const {
  constexpr std::uint32_t kWays = 20;
  switch (random.below(kWays)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return shift_bound(list, random);
    case 4:
    case 5:
      return redraw_bound(list, visited, random);
    case 6:
      return flip(list, random);
    case 7:
      return replace_literal(list, visited, random);
    case 8:
      return add_literal(list, visited, random);
    case 9:
    case 10:
      return drop_literal(list, random);
    case 11:
      return drop_rule(list, random);
    case 12:
      return swap_rules(list, random);
    case 13:
      return change_action(list, random);
    case 14:
      return take_rule(list, other, random);
    case 15:
    case 16:
      return change_terms(list, visited, random);
    default:
      return cover(list, visited, random);
  }
}

SumLiteral* Moves::literal_of(RuleList& list, RandomSequence& random) const {
  const std::size_t count = list.literal_count();
  if (count == 0) return nullptr;
  std::size_t at = drawn(count, random);
  for (ListedRule& rule : list.rules) {
    if (at < rule.body.size()) return &rule.body[at];
    at -= rule.body.size();
  }
  return nullptr;
}

Spread Moves::spread(const SumLiteral& literal) const { return spread_of_sum(literal.terms, spreads_); }

bool Moves::shift_bound(RuleList& list, RandomSequence& random) const {
  SumLiteral* literal = literal_of(list, random);
  if (literal == nullptr || features_[literal->terms.front().feature].is_atom()) return false;
  const Spread own = spread(*literal);
  const double width = static_cast<double>(own.high) - own.low;
  const double distance =
      std::max(width * exponential(-2 * kLogTen * random.uniform()), static_cast<double>(own.step));
  SumLiteral other = *literal;
  other.bound = own.rounded(literal->bound + (random.below(2) == 0 ? distance : -distance));
  if (!fits(other, features_)) return false;
  *literal = std::move(other);
  return true;
}

bool Moves::redraw_bound(RuleList& list, const StateSample& visited, RandomSequence& random) const {
  SumLiteral* literal = literal_of(list, random);
  if (literal == nullptr || features_[literal->terms.front().feature].is_atom()) return false;
  literal->bound = spread(*literal).rounded(sum_in(*literal, visited, drawn(visited.size(), random)));
  return fits(*literal, features_);
}

bool Moves::flip(RuleList& list, RandomSequence& random) const {
  SumLiteral* literal = literal_of(list, random);
  if (literal == nullptr) return false;
  literal->above = !literal->above;
  return true;
}

std::optional<SumLiteral> Moves::drawn_literal(const StateSample& visited, RandomSequence& random) const {
  if (varying_.empty()) return std::nullopt;
  SumLiteral literal;
  if (limits_.linear && numbers_.size() > 1 && random.uniform() < kLinearShare) {
    const std::size_t count = numbers_.size() > 2 && random.below(3) == 0 ? 3 : 2;
    auto terms = drawn_sum(count, numbers_, spreads_, features_, random);
    if (!terms) return std::nullopt;
    literal.terms = std::move(*terms);
  } else {
    literal.terms = {{varying_[drawn(varying_.size(), random)], 1}};
  }
  literal.above = random.below(2) == 0;
  if (features_[literal.terms.front().feature].is_atom()) return literal;
  literal.bound = spread(literal).rounded(sum_in(literal, visited, drawn(visited.size(), random)));
  if (!fits(literal, features_)) return std::nullopt;
  return literal;
}

bool Moves::replace_literal(RuleList& list, const StateSample& visited, RandomSequence& random) const {
  SumLiteral* literal = literal_of(list, random);
  if (literal == nullptr) return false;
  auto other = drawn_literal(visited, random);
  if (!other) return false;
  *literal = std::move(*other);
  return true;
}

bool Moves::add_literal(RuleList& list, const StateSample& visited, RandomSequence& random) const {
  if (list.rules.empty()) return false;
  auto literal = drawn_literal(visited, random);
  if (!literal) return false;
  list.rules[drawn(list.rules.size(), random)].body.push_back(std::move(*literal));
  return true;
}

bool Moves::drop_literal(RuleList& list, RandomSequence& random) const {
  if (list.rules.empty()) return false;
  const std::size_t r = drawn(list.rules.size(), random);
  auto& body = list.rules[r].body;
  body.erase(place(body, drawn(body.size(), random)));
  if (body.empty()) list.rules.erase(place(list.rules, r));
  return true;
}

bool Moves::drop_rule(RuleList& list, RandomSequence& random) const {
  if (list.rules.empty()) return false;
  list.rules.erase(place(list.rules, drawn(list.rules.size(), random)));
  return true;
}

bool Moves::swap_rules(RuleList& list, RandomSequence& random) const {
  if (list.rules.size() < 2) return false;
  const auto pair = drawn_without_repetition(2, list.rules.size(), random);
  std::swap(list.rules[pair[0]], list.rules[pair[1]]);
  return true;
}

bool Moves::change_action(RuleList& list, RandomSequence& random) const {
  const std::size_t at = drawn(list.rules.size() + 1, random);
  ActionId& action = at == list.rules.size() ? list.otherwise : list.rules[at].action;
  const auto actions = static_cast<ActionId>(features_.vocabulary().action_count());
  if (actions < 2) return false;
  const ActionId other = random.below(actions - 1);
  action = other < action ? other : other + 1;
  return true;
}

bool Moves::take_rule(RuleList& list, const RuleList& other, RandomSequence& random) const {
  if (other.rules.empty()) return false;
  const ListedRule rule = other.rules[drawn(other.rules.size(), random)];
  list.rules.insert(place(list.rules, drawn(list.rules.size() + 1, random)), rule);
  return true;
}

bool Moves::change_terms(RuleList& list, const StateSample& visited, RandomSequence& random) const {
  if (!limits_.linear || numbers_.size() < 2) return false;
  SumLiteral* literal = literal_of(list, random);
  if (literal == nullptr || features_[literal->terms.front().feature].is_atom()) return false;
  std::vector<PhysicalTerm> terms = physical_terms(literal->terms, features_);
  const std::uint32_t way = random.below(3);
  if (way == 0 && terms.size() < kMostTerms) {
    const std::uint32_t f = numbers_[drawn(numbers_.size(), random)];
    for (const PhysicalTerm& term : terms) {
      if (term.feature == f) return false;
    }
    if (f < terms.front().feature) return false;  // the first one has factor 1
    terms.push_back({f, drawn_factor(f, terms.front().feature, spreads_, features_, random)});
    std::sort(terms.begin(), terms.end(),
              [](const PhysicalTerm& a, const PhysicalTerm& b) { return a.feature < b.feature; });
  } else if (terms.size() == 1) {
    return false;
  } else if (way == 1) {
    terms.erase(place(terms, drawn(terms.size(), random)));
    const double first = terms.front().factor;
    if (first < 0) literal->above = !literal->above;
    for (PhysicalTerm& term : terms) term.factor = two_digits(term.factor / first);
  } else {
    double& factor = terms[1 + drawn(terms.size() - 1, random)].factor;
    factor = two_digits(factor * exponential(random.normal() * 0.5));
  }
  auto whole = whole_terms(terms, features_);
  if (!whole) return false;
  SumLiteral other{std::move(*whole), 0, literal->above};
  // The new sum divides the visited states where the old one did, in one of them.
  const std::size_t state = drawn(visited.size(), random);
  const double below = static_cast<double>(sum_in(*literal, visited, state)) - literal->bound;
  const double ratio = static_cast<double>(other.terms.front().factor) / literal->terms.front().factor;
  const bool same_first = other.terms.front().feature == literal->terms.front().feature;
  other.bound = spread(other).rounded(sum_in(other, visited, state) - (same_first ? below * ratio : 0));
  if (!fits(other, features_)) return false;
  *literal = std::move(other);
  return true;
}

bool Moves::cover(RuleList& list, const StateSample& visited, RandomSequence& random) const {
  constexpr int kChoices = 6;
  std::vector<std::int32_t> row;
  std::int32_t most = -1;
  std::size_t state = 0;
  for (int i = 0; i < kChoices; ++i) {
    const std::size_t other = drawn(visited.size(), random);
    const std::int32_t regret = visited.regrets(list.decide(visited.row(other)))[other];
    if (regret <= most) continue;
    most = regret;
    state = other;
  }
  row = visited.row(state);
  const ActionId now = list.decide(row);
  const auto actions = static_cast<ActionId>(features_.vocabulary().action_count());
  if (actions < 2) return false;
  ActionId action = random.below(actions - 1);
  if (action >= now) ++action;
  if (random.below(2) == 0) {
    for (ActionId a = 0; a < actions; ++a) {
      if (a != now && visited.regrets(a)[state] < visited.regrets(action)[state]) action = a;
    }
  }
  ListedRule rule{{}, action};
  const std::uint32_t literals = 1 + random.below(3);
  for (std::uint32_t i = 0; i < literals; ++i) {
    auto literal = drawn_literal(visited, random);
    if (!literal) continue;
    literal->above = literal->sum(row) > literal->bound;
    rule.body.push_back(std::move(*literal));
  }
  if (rule.body.empty()) return false;
  std::size_t deciding = 0;
  while (deciding < list.rules.size()) {
    const auto& body = list.rules[deciding].body;
    if (std::all_of(body.begin(), body.end(), [&](const SumLiteral& own) { return own.holds(row); })) break;
    ++deciding;
  }
  list.rules.insert(place(list.rules, drawn(deciding + 1, random)), std::move(rule));
  return true;
}

}  // namespace ndnf
