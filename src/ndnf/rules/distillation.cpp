#include "ndnf/rules/distillation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "ndnf/rules/linear.h"
#include "ndnf/rules/literal_search.h"

namespace ndnf {
namespace {

constexpr std::size_t kBeam = 3;       ///< Lists of each size that grow on.
constexpr std::size_t kOffspring = 2;  ///< Changes of each that are pursued, by number of terms.
constexpr std::size_t kSweeps = 2;     ///< Through all sizes, up and down.
constexpr std::size_t kPolishes = 6;   ///< Passes over the literals of a list, at most.
constexpr double kPromising = 1.05;    ///< So much of the regret of the worst list that is kept.
constexpr double kEnough = 0.01;       ///< Of the regret of the best list without rules.
constexpr LiteralSearch::Effort kGrowing{6, 6};
constexpr LiteralSearch::Effort kPolishing{6, 12};

/// A change of a list: a rule of one literal before rule `at`, or a literal more in rule `at`.
struct Change {
  std::int64_t gain = 0;
  std::size_t at = 0;
  std::optional<ActionId> action;  ///< Of a new rule.
  SumLiteral literal;
};

class Distillation {
 public:
  Distillation(const StateSample& sample, const Features& features, const ListLimits& limits,
               std::size_t most_terms, RandomSequence& random)
      : sample_(sample),
        limits_(limits),
        most_terms_(most_terms),
        random_(random),
        literals_(sample, features, limits.linear),
        weights_(sample.size()) {}

  std::vector<DistilledList> run() {
    keep(best_constant());
    for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t size = 0; size < most_terms_ && !enough(); ++size) {
        for (const RuleList& parent : not_yet_grown(size)) grow(parent);
      }
      for (std::size_t size = most_terms_; size > 1; --size) {
        for (const DistilledList& parent : of_size(size)) shrink(parent.list);
      }
    }
    std::vector<DistilledList> result;
    for (const auto& [size, lists] : by_size_) {
      if (result.empty() || lists.front().regret < result.back().regret) result.push_back(lists.front());
    }
    return result;
  }

 private:
  DistilledList best_constant() const {
    DistilledList best{{}, std::numeric_limits<std::int64_t>::max()};
    for (ActionId a = 0; a < sample_.action_count(); ++a) {
      std::int64_t regret = 0;
      for (const std::int32_t own : sample_.regrets(a)) regret += own;
      if (regret < best.regret) best = {{{}, a}, regret};
    }
    return best;
  }

  std::int64_t regret(const RuleList& list) {
    write_decisions(list, sample_, decisions_);
    return regret_of(decisions_, sample_);
  }

  /// Whether some list is so good that larger ones are not worth their time.
  bool enough() const {
    const std::int64_t first = by_size_.begin()->second.front().regret;
    return std::any_of(by_size_.begin(), by_size_.end(), [&](const auto& own) {
      return static_cast<double>(own.second.front().regret) <= kEnough * static_cast<double>(first);
    });
  }

  std::vector<DistilledList> of_size(std::size_t size) const {
    const auto own = by_size_.find(size);
    return own == by_size_.end() ? std::vector<DistilledList>{} : own->second;
  }

  /// Whether a list of this size may become one of the best.
  bool is_promising(std::int64_t regret, std::size_t size) const {
    const auto own = by_size_.find(size);
    return own == by_size_.end() || own->second.size() < kBeam ||
           static_cast<double>(regret) < kPromising * static_cast<double>(own->second.back().regret);
  }

  std::vector<RuleList> not_yet_grown(std::size_t size) {
    std::vector<RuleList> result;
    for (const DistilledList& own : of_size(size)) {
      if (std::find(grown_.begin(), grown_.end(), own.list) != grown_.end()) continue;
      grown_.push_back(own.list);
      result.push_back(own.list);
    }
    return result;
  }

  void keep(DistilledList found) {
    auto& lists = by_size_[found.list.term_count()];
    for (const DistilledList& other : lists) {
      if (other.list == found.list) return;
    }
    const auto place = std::find_if(lists.begin(), lists.end(),
                                    [&](const DistilledList& other) { return found.regret < other.regret; });
    lists.insert(place, std::move(found));
    if (lists.size() > kBeam) lists.pop_back();
  }

  /// Polishes a list, on and on if it is among the best of its size.
  void offer(RuleList list) {
    list = polished(simplified(std::move(list)));
    if (!limits_.allow(list) || list.term_count() > most_terms_) return;
    std::int64_t own = regret(list);
    for (std::size_t pass = 1; pass < kPolishes && is_promising(own, list.term_count()); ++pass) {
      RuleList other = polished(list);
      const std::int64_t then = regret(other);
      if (then >= own) break;
      own = then;
      list = std::move(other);
    }
    if (auto turned = with_end_turned(list)) keep({std::move(*turned), own});
    keep({std::move(list), own});
  }

  void grow(const RuleList& parent) {
    std::vector<Change> changes = changes_of(parent);
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.gain > b.gain; });
    for (std::size_t terms = 1; terms <= kMostTerms; ++terms) {
      std::size_t pursued = 0;
      for (const Change& change : changes) {
        if (pursued == kOffspring || change.gain <= 0) break;
        if (change.literal.terms.size() != terms) continue;
        ++pursued;
        offer(changed(parent, change));
      }
    }
  }

  /// The two lists with least regret among those that lack a rule or a literal.
  void shrink(const RuleList& parent) {
    std::vector<DistilledList> all;
    for (RuleList& list : shortened(parent)) {
      const std::int64_t own = regret(list);
      all.push_back({std::move(list), own});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const DistilledList& a, const DistilledList& b) { return a.regret < b.regret; });
    for (std::size_t i = 0; i < std::min(all.size(), kOffspring); ++i) offer(std::move(all[i].list));
  }

  static RuleList changed(RuleList list, const Change& change) {
    const auto at = list.rules.begin() + static_cast<std::ptrdiff_t>(change.at);
    if (change.action) {
      list.rules.insert(at, {{change.literal}, *change.action});
    } else {
      at->body.push_back(change.literal);
    }
    return list;
  }

  /// What happens from each rule on: where each rule holds, and what the rules from it on decide.
  struct Trace {
    std::vector<TruthColumn> holds;                    // (rules, states)
    std::vector<std::vector<std::uint8_t>> decisions;  // (rules + 1, states): by the rules from r on
    std::vector<TruthColumn> open;                     // (rules + 1, states): no rule before r holds
  };

  Trace trace(const RuleList& list) const {
    const std::size_t rules = list.rules.size();
    Trace result;
    result.holds.resize(rules);
    result.decisions.resize(rules + 1);
    result.decisions[rules].assign(sample_.size(), static_cast<std::uint8_t>(list.otherwise));
    for (std::size_t r = rules; r-- > 0;) {
      write_truth(list.rules[r], sample_, result.holds[r]);
      result.decisions[r] = result.decisions[r + 1];
      const auto action = static_cast<std::uint8_t>(list.rules[r].action);
      for (std::size_t i = 0; i < sample_.size(); ++i)
        result.decisions[r][i] = result.holds[r][i] != 0 ? action : result.decisions[r][i];
    }
    result.open.assign(1, TruthColumn(sample_.size(), 1));
    for (std::size_t r = 0; r < rules; ++r) {
      result.open.push_back(result.open.back());
      for (std::size_t i = 0; i < sample_.size(); ++i)
        result.open.back()[i] &= static_cast<std::uint8_t>(result.holds[r][i] ^ 1);
    }
    return result;
  }

  std::vector<Change> changes_of(const RuleList& list) {
    const Trace now = trace(list);
    std::vector<Change> changes;
    const auto search = [&](std::size_t at, std::optional<ActionId> action, std::int64_t base) {
      literals_.weigh(weights_);
      for (WeighedLiteral& found : literals_.best(kGrowing, random_)) {
        if (!found.literal.terms.empty())
          changes.push_back({found.gain + base, at, action, std::move(found.literal)});
      }
    };
    for (std::size_t at = 0; at <= list.rules.size(); ++at) {
      if (list.rules.size() < limits_.rules) {
        for (ActionId a = 0; a < sample_.action_count(); ++a) {
          for (std::size_t i = 0; i < weights_.size(); ++i)
            weights_[i] = now.open[at][i] != 0 ? regret_in(now.decisions[at][i], i) - regret_in(a, i) : 0;
          search(at, a, 0);
        }
      }
      if (at == list.rules.size()) break;
      std::int64_t base = 0;
      for (std::size_t i = 0; i < weights_.size(); ++i) {
        const bool fires = now.open[at][i] != 0 && now.holds[at][i] != 0;
        weights_[i] =
            fires ? regret_in(now.decisions[at + 1][i], i) - regret_in(list.rules[at].action, i) : 0;
        base -= weights_[i];
      }
      search(at, std::nullopt, base);
    }
    return changes;
  }

  std::int32_t regret_in(std::size_t action, std::size_t state) const {
    return sample_.regrets(static_cast<ActionId>(action))[state];
  }

  /// Replaces each literal in turn by the best one found in its place. A rule only acts in states that are
  /// open to it, and what happens where it stops to hold is up to the rules after it: so one pass from the
  /// first rule to the last needs the decisions of the later ones only once.
  RuleList polished(RuleList list) {
    const std::size_t states = sample_.size();
    const Trace now = trace(list);
    TruthColumn open(states, 1);
    TruthColumn others;
    TruthColumn one;
    for (std::size_t r = 0; r < list.rules.size(); ++r) {
      ListedRule& rule = list.rules[r];
      for (std::size_t l = 0; l < rule.body.size(); ++l) {
        others = open;
        for (std::size_t k = 0; k < rule.body.size(); ++k) {
          if (k == l) continue;
          write_truth(rule.body[k], sample_, one);
          for (std::size_t i = 0; i < states; ++i) others[i] &= one[i];
        }
        for (std::size_t i = 0; i < states; ++i)
          weights_[i] =
              others[i] != 0 ? regret_in(now.decisions[r + 1][i], i) - regret_in(rule.action, i) : 0;
        literals_.weigh(weights_);
        rule.body[l] = literals_.best_instead(rule.body[l], kPolishing, random_);
      }
      write_truth(rule, sample_, one);
      for (std::size_t i = 0; i < states; ++i) open[i] &= static_cast<std::uint8_t>(one[i] ^ 1);
    }
    return simplified(std::move(list));
  }

  const StateSample& sample_;
  const ListLimits limits_;
  const std::size_t most_terms_;
  RandomSequence& random_;
  LiteralSearch literals_;
  std::map<std::size_t, std::vector<DistilledList>> by_size_;  ///< The best few of each size.
  std::vector<RuleList> grown_;
  std::vector<std::uint8_t> decisions_;
  std::vector<std::int32_t> weights_;
};

}  // namespace

std::vector<DistilledList> distil(const StateSample& sample, const Features& features,
                                  const ListLimits& limits, std::size_t most_terms, RandomSequence& random) {
  return Distillation(sample, features, limits, most_terms, random).run();
}

}  // namespace ndnf
