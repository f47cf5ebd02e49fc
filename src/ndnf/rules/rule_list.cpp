#include "ndnf/rules/rule_list.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

/// Whether `a` implies `b`: the same sum, the same side, and a bound at least as strict.
bool implies(const SumLiteral& a, const SumLiteral& b) {
  if (a.terms != b.terms || a.above != b.above) return false;
  return a.above ? a.bound >= b.bound : a.bound <= b.bound;
}

/// Whether both cannot hold.
bool contradict(const SumLiteral& a, const SumLiteral& b) {
  if (a.terms != b.terms || a.above == b.above) return false;
  return a.above ? a.bound >= b.bound : b.bound >= a.bound;
}

void tidy(std::vector<SumLiteral>& body) {
  std::sort(body.begin(), body.end());
  for (std::size_t i = 0; i < body.size();) {
    bool follows = false;
    for (std::size_t j = 0; j < body.size() && !follows; ++j) {
      follows = j != i && implies(body[j], body[i]) && (j < i || !implies(body[i], body[j]));
    }
    follows ? static_cast<void>(body.erase(body.begin() + static_cast<std::ptrdiff_t>(i)))
            : static_cast<void>(++i);
  }
}

bool impossible(const std::vector<SumLiteral>& body) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (std::size_t j = i + 1; j < body.size(); ++j) {
      if (contradict(body[i], body[j])) return true;
    }
  }
  return false;
}

/// Whether every observation in which `later` holds satisfies `earlier`.
bool covers(const ListedRule& earlier, const ListedRule& later) {
  return std::all_of(earlier.body.begin(), earlier.body.end(), [&](const SumLiteral& wanted) {
    return std::any_of(later.body.begin(), later.body.end(),
                       [&](const SumLiteral& given) { return implies(given, wanted); });
  });
}

class Reader {
 public:
  Reader(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at)
      : where_(where), numbers_(numbers), at_(at) {}

  template <class Number>
  Number next(std::int64_t least, std::int64_t most) {
    if (at_ >= numbers_.size() || numbers_[at_] < least || numbers_[at_] > most)
      throw Error(where_, "a saved list of rules is damaged");
    return static_cast<Number>(numbers_[at_++]);
  }

 private:
  std::string_view where_;
  std::span<const std::int64_t> numbers_;
  std::size_t& at_;
};

constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMany = 1 << 16;
constexpr std::int64_t kManyLists = 1 << 20;

}  // namespace

bool fits(const SumLiteral& comparison, const Features& features) {
  std::int64_t most = std::abs(static_cast<std::int64_t>(comparison.bound));
  for (const SumTerm& term : comparison.terms) {
    const Feature& feature = features[term.feature];
    const auto far = std::max(std::abs(static_cast<std::int64_t>(feature.lowest())),
                              std::abs(static_cast<std::int64_t>(feature.highest())));
    most += std::abs(static_cast<std::int64_t>(term.factor)) * far;
  }
  return most <= kMost32;
}

ActionId RuleList::decide(std::span<const std::int32_t> row) const {
  for (const ListedRule& rule : rules) {
    bool holds = true;
    for (const SumLiteral& literal : rule.body) {
      if (!literal.holds(row)) {
        holds = false;
        break;
      }
    }
    if (holds) return rule.action;
  }
  return otherwise;
}

std::size_t RuleList::literal_count() const {
  std::size_t count = 0;
  for (const ListedRule& rule : rules) count += rule.body.size();
  return count;
}

std::size_t RuleList::term_count() const {
  std::size_t count = 0;
  for (const ListedRule& rule : rules) {
    for (const SumLiteral& literal : rule.body) count += literal.terms.size();
  }
  return count;
}

RuleList simplified(RuleList list) {
  std::vector<ListedRule> kept;
  for (ListedRule& rule : list.rules) {
    tidy(rule.body);
    if (impossible(rule.body)) continue;
    if (std::any_of(kept.begin(), kept.end(), [&](const ListedRule& before) { return covers(before, rule); }))
      continue;
    if (rule.body.empty()) {  // holds always
      list.otherwise = rule.action;
      break;
    }
    kept.push_back(std::move(rule));
  }
  while (!kept.empty() && kept.back().action == list.otherwise) kept.pop_back();
  list.rules = std::move(kept);
  return list;
}

std::optional<RuleList> with_end_turned(const RuleList& list) {
  if (list.rules.empty() || list.rules.back().body.size() != 1) return std::nullopt;
  RuleList turned = list;
  ListedRule& last = turned.rules.back();
  last.body.front().above = !last.body.front().above;
  std::swap(last.action, turned.otherwise);
  return turned;
}

std::vector<RuleList> shortened(const RuleList& list) {
  std::vector<RuleList> all;
  for (std::size_t r = 0; r < list.rules.size(); ++r) {
    RuleList without = list;
    without.rules.erase(without.rules.begin() + static_cast<std::ptrdiff_t>(r));
    all.push_back(simplified(std::move(without)));
    const std::size_t literals = list.rules[r].body.size();
    for (std::size_t l = 0; literals > 1 && l < literals; ++l) {
      RuleList weaker = list;
      auto& body = weaker.rules[r].body;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(l));
      all.push_back(simplified(std::move(weaker)));
    }
  }
  return all;
}

std::vector<std::uint32_t> features_of(const RuleList& list) {
  std::vector<std::uint32_t> all;
  for (const ListedRule& rule : list.rules) {
    for (const SumLiteral& literal : rule.body) {
      for (const SumTerm& term : literal.terms) all.push_back(term.feature);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void append(const RuleList& list, std::vector<std::int64_t>& numbers) {
  const auto put = [&](auto number) { numbers.push_back(static_cast<std::int64_t>(number)); };
  put(list.otherwise);
  put(list.rules.size());
  for (const ListedRule& rule : list.rules) {
    put(rule.action);
    put(rule.body.size());
    for (const SumLiteral& literal : rule.body) {
      put(literal.above ? 1 : 0);
      put(literal.bound);
      put(literal.terms.size());
      for (const SumTerm& term : literal.terms) {
        put(term.feature);
        put(term.factor);
      }
    }
  }
}

RuleList read_list(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                   const Features& features) {
  Reader reader(where, numbers, at);
  const auto actions = static_cast<std::int64_t>(features.vocabulary().action_count());
  const auto last_feature = static_cast<std::int64_t>(features.size()) - 1;
  RuleList list;
  list.otherwise = reader.next<ActionId>(0, actions - 1);
  list.rules.resize(reader.next<std::size_t>(0, kMany));
  for (ListedRule& rule : list.rules) {
    rule.action = reader.next<ActionId>(0, actions - 1);
    rule.body.resize(reader.next<std::size_t>(1, kMany));
    for (SumLiteral& literal : rule.body) {
      literal.above = reader.next<int>(0, 1) == 1;
      literal.bound = reader.next<std::int32_t>(-kMost32, kMost32);
      literal.terms.resize(reader.next<std::size_t>(1, kMany));
      for (SumTerm& term : literal.terms) {
        term.feature = reader.next<std::uint32_t>(0, last_feature);
        term.factor = reader.next<std::int32_t>(-kMost32, kMost32);
      }
      if (!fits(literal, features)) throw Error(where, "a saved list of rules is damaged");
    }
  }
  return list;
}

void append(const std::vector<RuleList>& lists, std::vector<std::int64_t>& numbers) {
  numbers.push_back(static_cast<std::int64_t>(lists.size()));
  for (const RuleList& list : lists) append(list, numbers);
}

std::vector<RuleList> read_lists(std::string_view where, std::span<const std::int64_t> numbers,
                                 std::size_t& at, const Features& features) {
  std::vector<RuleList> lists;
  for (std::int64_t left = Reader(where, numbers, at).next<std::int64_t>(0, kManyLists); left > 0; --left)
    lists.push_back(read_list(where, numbers, at, features));
  return lists;
}

}  // namespace ndnf
