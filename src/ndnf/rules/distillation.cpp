#include "ndnf/rules/distillation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace ndnf {
namespace {

constexpr std::size_t kBeam = 4;        ///< Lists of each size that grow on.
constexpr std::size_t kOffspring = 2;   ///< Changes of each that are pursued.
constexpr std::size_t kDirections = 6;  ///< Random sums that are tried beside the features, each time.
constexpr std::int32_t kMostBins = 400;

/// A feature or a sum as bins between possible bounds: the value is above bound(k) where its bin is above k.
struct Axis {
  std::vector<SumTerm> terms;
  std::int32_t first = 0;  ///< The first bound, in steps.
  std::int32_t step = 1;
  std::int32_t bins = 0;
  std::vector<std::uint16_t> bin;  // (states)

  std::int32_t bound(std::int32_t k) const { return (first + k) * step; }
};

std::int32_t ceiling(std::int32_t value, std::int32_t step) {
  return value / step + (value % step > 0 ? 1 : 0);
}

std::optional<Axis> make_axis(std::vector<SumTerm> terms, std::span<const std::int32_t> values) {
  const Spread spread = spread_of(values);
  if (!spread.varies()) return std::nullopt;
  Axis axis;
  axis.terms = std::move(terms);
  axis.step = spread.step;
  // value > m * step holds where ceiling(value / step) > m
  axis.first = ceiling(spread.low, spread.step);
  axis.bins = std::clamp(ceiling(spread.high, spread.step) - axis.first + 1, 2, kMostBins);
  axis.bin.reserve(values.size());
  for (const std::int32_t value : values) {
    const std::int32_t bin = std::clamp(ceiling(value, spread.step) - axis.first, 0, axis.bins - 1);
    axis.bin.push_back(static_cast<std::uint16_t>(bin));
  }
  return axis;
}

/// A literal and what it gains.
struct Gain {
  std::int64_t gain = std::numeric_limits<std::int64_t>::min();
  SumLiteral literal;
};

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
               RandomSequence& random)
      : sample_(sample), features_(features), limits_(limits), random_(random), spreads_(spreads_of(sample)) {
    for (std::uint32_t f = 0; f < features.size(); ++f) {
      if (auto axis = make_axis({{f, 1}}, sample.column(f))) {
        axes_.push_back(std::move(*axis));
        if (!features[f].is_atom()) numbers_.push_back(f);
      }
    }
    plain_ = axes_.size();
  }

  std::vector<DistilledList> run(std::size_t most_terms) {
    std::map<std::size_t, std::vector<DistilledList>> by_size;  // the best few of each size
    keep(by_size, best_constant());
    for (std::size_t size = 0; size < most_terms; ++size) {
      const auto own = by_size.find(size);
      if (own == by_size.end()) continue;
      const std::vector<DistilledList> parents = own->second;
      for (const DistilledList& parent : parents) grow(parent.list, by_size, most_terms);
    }
    std::vector<DistilledList> result;
    for (const auto& [size, lists] : by_size) {
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

  void keep(std::map<std::size_t, std::vector<DistilledList>>& by_size, DistilledList found) const {
    auto& lists = by_size[found.list.term_count()];
    for (const DistilledList& other : lists) {
      if (other.list == found.list) return;
    }
    const auto place = std::find_if(lists.begin(), lists.end(),
                                    [&](const DistilledList& other) { return found.regret < other.regret; });
    lists.insert(place, std::move(found));
    if (lists.size() > kBeam) lists.pop_back();
  }

  void grow(const RuleList& parent, std::map<std::size_t, std::vector<DistilledList>>& by_size,
            std::size_t most_terms) {
    draw_directions();
    std::vector<Change> changes = changes_of(parent);
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.gain > b.gain; });
    std::size_t pursued = 0;
    for (const Change& change : changes) {
      if (pursued == kOffspring || change.gain <= 0) break;
      RuleList list = polished(simplified(changed(parent, change)));
      if (!limits_.allow(list) || list.term_count() > most_terms) continue;
      ++pursued;
      const std::int64_t own = regret(list);
      if (auto turned = with_end_turned(list)) keep(by_size, {std::move(*turned), own});
      keep(by_size, {std::move(list), own});
    }
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

  /// New random sums of numbers, in place of the last ones.
  void draw_directions() {
    axes_.resize(plain_);
    if (!limits_.linear || numbers_.size() < 2) return;
    for (std::size_t i = 0; i < kDirections; ++i) {
      auto terms = drawn_sum(numbers_, spreads_, features_, random_);
      if (!terms) continue;
      if (auto axis = axis_of(std::move(*terms))) axes_.push_back(std::move(*axis));
    }
  }

  std::optional<Axis> axis_of(std::vector<SumTerm> terms) const {
    std::vector<std::int32_t> sums(sample_.size(), 0);
    for (const SumTerm& term : terms) {
      for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += term.factor * sample_.column(term.feature)[s];
    }
    return make_axis(std::move(terms), sums);
  }

  /// The literal L over one axis with the largest sum of `weights` over the states where L holds.
  Gain best_on(const Axis& axis, std::span<const std::int32_t> weights) {
    histogram_.assign(static_cast<std::size_t>(axis.bins), 0);
    for (std::size_t i = 0; i < weights.size(); ++i) histogram_[axis.bin[i]] += weights[i];
    std::int64_t total = 0;
    for (const std::int64_t own : histogram_) total += own;
    Gain best;
    std::int64_t below = 0;
    for (std::int32_t k = 0; k + 1 < axis.bins; ++k) {
      below += histogram_[static_cast<std::size_t>(k)];
      const bool above = total - below > below;
      const std::int64_t gain = std::max(below, total - below);
      if (gain > best.gain) best = {gain, {axis.terms, axis.bound(k), above}};
    }
    return best;
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
    std::vector<std::int32_t> weights(sample_.size());
    const auto offer = [&](std::size_t at, std::optional<ActionId> action, std::int64_t base) {
      for (const Axis& axis : axes_) {
        Gain gain = best_on(axis, weights);
        changes.push_back({gain.gain + base, at, action, std::move(gain.literal)});
      }
    };
    for (std::size_t at = 0; at <= list.rules.size(); ++at) {
      if (list.rules.size() < limits_.rules) {
        for (ActionId a = 0; a < sample_.action_count(); ++a) {
          for (std::size_t i = 0; i < weights.size(); ++i)
            weights[i] = now.open[at][i] != 0 ? regret_in(now.decisions[at][i], i) - regret_in(a, i) : 0;
          offer(at, a, 0);
        }
      }
      if (at == list.rules.size()) break;
      std::int64_t base = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const bool fires = now.open[at][i] != 0 && now.holds[at][i] != 0;
        weights[i] = fires ? regret_in(now.decisions[at + 1][i], i) - regret_in(list.rules[at].action, i) : 0;
        base -= weights[i];
      }
      offer(at, std::nullopt, base);
    }
    return changes;
  }

  std::int32_t regret_in(std::size_t action, std::size_t state) const {
    return sample_.regrets(static_cast<ActionId>(action))[state];
  }

  /// Replaces each literal in turn by the best one in its place.
  RuleList polished(RuleList list) {
    std::int64_t now = regret(list);
    for (std::size_t r = 0; r < list.rules.size(); ++r) {
      for (std::size_t l = 0; l < list.rules[r].body.size(); ++l) {
        RuleList other = list;
        other.rules[r].body[l] = best_in_place(list, r, l);
        const std::int64_t then = regret(other);
        if (then >= now) continue;
        now = then;
        list = std::move(other);
      }
    }
    return simplified(std::move(list));
  }

  SumLiteral best_in_place(const RuleList& list, std::size_t r, std::size_t l) {
    RuleList without = list;
    auto& body = without.rules[r].body;
    const SumLiteral literal = body[l];
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(l));
    const Trace now = trace(without);
    std::vector<std::int32_t> weights(sample_.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool fires = now.open[r][i] != 0 && now.holds[r][i] != 0;
      weights[i] = fires ? regret_in(now.decisions[r + 1][i], i) - regret_in(list.rules[r].action, i) : 0;
    }
    Gain best{std::numeric_limits<std::int64_t>::min(), literal};
    const auto consider = [&](const Axis& axis) {
      Gain own = best_on(axis, weights);
      if (own.gain > best.gain) best = std::move(own);
    };
    for (const Axis& axis : axes_) {
      if (axis.terms.size() <= literal.terms.size()) consider(axis);
    }
    if (literal.terms.size() > 1) {
      if (const auto own = axis_of(literal.terms)) consider(*own);
    }
    return best.literal;
  }

  const StateSample& sample_;
  const Features& features_;
  const ListLimits limits_;
  RandomSequence& random_;
  const std::vector<Spread> spreads_;
  std::vector<Axis> axes_;  ///< The features that vary, then random sums.
  std::size_t plain_ = 0;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::int64_t> histogram_;
  std::vector<std::uint8_t> decisions_;
};

}  // namespace

std::vector<DistilledList> distil(const StateSample& sample, const Features& features,
                                  const ListLimits& limits, std::size_t most_terms, RandomSequence& random) {
  return Distillation(sample, features, limits, random).run(most_terms);
}

}  // namespace ndnf
