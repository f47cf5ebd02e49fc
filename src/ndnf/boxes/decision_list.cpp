#include "ndnf/boxes/decision_list.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "ndnf/base/random.h"
#include "ndnf/boxes/box.h"
#include "ndnf/boxes/fooling_set.h"
#include "ndnf/boxes/greedy_boxes.h"
#include "ndnf/boxes/maximal_boxes.h"

namespace ndnf {
namespace {

using Masks = std::span<const std::uint64_t>;

/// The cost of an entry that begins a new block, relative to one that continues the last block: one value per
/// attempt.
constexpr double kBlockCosts[] = {1, 1.25, 1.5, 2, 2.5, 3, 4, 6};

/// The maximum number of observations from which the next entry is grown.
constexpr std::size_t kMostSeeds = 48;
/// Fewer seeds for large scopes: growing one box takes about n² · groups / 64 steps, and one entry must not
/// take more steps than this.
constexpr std::size_t kStepsPerEntry = 20'000'000;

std::size_t seed_count(const Scope& scope) {
  const Vocabulary& vocabulary = scope.vocabulary();
  const std::size_t per_box =
      scope.size() * (scope.size() / 64 + 1) * std::max<std::size_t>(1, scope.varying_groups().size());
  return std::clamp<std::size_t>(kStepsPerEntry / (2 * vocabulary.action_count() * per_box), 1, kMostSeeds);
}

/// Builds one list, entry by entry. Invariant: an entry's box only contains observations that are decided
/// already or allow its action (`region`), so the list is correct. Every entry decides at least its seed, and
/// building stops as soon as all undecided observations share an allowed action. An entry grows 2 · actions ·
/// seeds boxes.
class ListBuilder {
 public:
  ListBuilder(const Scope& scope, Masks allowed, double block_cost, RandomSequence& random)
      : scope_(scope),
        allowed_(allowed),
        block_cost_(block_cost),
        random_(random),
        boxes_(scope),
        left_(PositionSet::first(scope.size())) {}

  DecisionList build() {
    for (std::uint64_t common = common_actions(); common == 0; common = common_actions()) add_entry();
    list_.otherwise = last_resort();
    return std::move(list_);
  }

 private:
  struct Candidate {
    ActionId action = 0;
    PositionSet box;
    double worth = 0;
  };

  /// The actions that all undecided observations allow.
  std::uint64_t common_actions() const {
    std::uint64_t common = ~std::uint64_t{0};
    for (const std::uint32_t i : left_.values()) common &= allowed_[i];
    return common;
  }

  /// A common action for `otherwise`, if possible one without entries: then no block of it needs a helper.
  ActionId last_resort() const {
    const std::uint64_t common = common_actions();
    for (std::uint64_t rest = common; rest != 0; rest &= rest - 1) {
      const auto action = static_cast<ActionId>(std::countr_zero(rest));
      const bool used = std::any_of(list_.entries.begin(), list_.entries.end(),
                                    [&](const ActionRule& entry) { return entry.action == action; });
      if (!used) return action;
    }
    return static_cast<ActionId>(std::countr_zero(common));
  }

  void add_entry() {
    Candidate best;
    const std::vector<std::size_t> seeds = some_of_what_is_left();
    for (ActionId a = 0; a < scope_.vocabulary().action_count(); ++a) {
      PositionSet region = PositionSet::first(scope_.size());
      region -= left_;
      region |= allowing(scope_, allowed_, a);
      for (const std::size_t seed : seeds) {
        if ((allowed_[seed] >> a & 1) != 0) consider(a, seed, region, best);
      }
    }
    list_.entries.push_back({best.action, literals(hull(scope_, best.box), scope_)});
    left_ -= best.box;
  }

  std::vector<std::size_t> some_of_what_is_left() {
    const std::vector<std::uint32_t> all = left_.values();
    std::vector<std::size_t> seeds(all.begin(), all.end());
    shuffle(seeds);
    seeds.resize(std::min(seeds.size(), seed_count(scope_)));
    return seeds;
  }

  void shuffle(std::vector<std::size_t>& order) {
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1], order[random_.below(static_cast<std::uint32_t>(k))]);
    }
  }

  void consider(ActionId action, std::size_t seed, const PositionSet& region, Candidate& best) {
    const bool goes_on = !list_.entries.empty() && list_.entries.back().action == action;
    for (const bool shuffled : {false, true}) {
      const PositionSet& box = boxes_.grow(seed, order_of(region, shuffled), region);
      PositionSet settled = box;
      settled &= left_;
      const double worth = static_cast<double>(settled.size()) / (goes_on ? 1 : block_cost_);
      if (worth > best.worth) best = {action, box, worth};
    }
  }

  /// Undecided observations first: only they count.
  std::vector<std::size_t> order_of(const PositionSet& region, bool shuffled) {
    const std::vector<std::uint32_t> all = region.values();
    std::vector<std::size_t> order(all.begin(), all.end());
    if (shuffled) shuffle(order);
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return left_.contains(i); });
    return order;
  }

  const Scope& scope_;
  Masks allowed_;
  double block_cost_;
  RandomSequence& random_;
  GreedyBoxes boxes_;
  PositionSet left_;
  DecisionList list_;
};

/// The observations that each entry decides; the last set is what `otherwise` decides.
std::vector<PositionSet> decided_by(const DecisionList& list, const Scope& scope) {
  std::vector<PositionSet> decided;
  PositionSet left = PositionSet::first(scope.size());
  for (const ActionRule& entry : list.entries) {
    PositionSet& own = decided.emplace_back(members(entry.body, scope));
    own &= left;
    left -= own;
  }
  decided.push_back(std::move(left));
  return decided;
}

bool is_right(const DecisionList& list, const Scope& scope, Masks allowed) {
  const std::vector<PositionSet> decided = decided_by(list, scope);
  for (std::size_t k = 0; k < decided.size(); ++k) {
    const ActionId action = k < list.entries.size() ? list.entries[k].action : list.otherwise;
    if (!decided[k].is_subset_of(allowing(scope, allowed, action))) return false;
  }
  return true;
}

/// Removes every entry that is redundant given the others, from the last to the first.
void drop_redundant(DecisionList& list, const Scope& scope, Masks allowed) {
  for (std::size_t k = list.entries.size(); k-- > 0;) {
    DecisionList shorter = list;
    shorter.entries.erase(shorter.entries.begin() + static_cast<std::ptrdiff_t>(k));
    if (is_right(shorter, scope, allowed)) list = std::move(shorter);
  }
}

/// Replaces each body by the shortest one found that still holds where it decides. It may also hold where
/// earlier entries decide and where its action is allowed, so the list stays correct.
void shorten(DecisionList& list, const Scope& scope, Masks allowed) {
  PositionSet settled(scope.size());
  const std::vector<PositionSet> decided = decided_by(list, scope);
  for (std::size_t k = 0; k < list.entries.size(); ++k) {
    PositionSet inside = settled;
    inside |= allowing(scope, allowed, list.entries[k].action);
    list.entries[k].body = literals(shortest_box(scope, decided[k], inside), scope);
    settled |= members(list.entries[k].body, scope);
  }
}

std::pair<std::size_t, std::size_t> length(const DecisionList& list) {
  std::size_t literal_count = 0;
  for (const ActionRule& entry : list.entries) literal_count += entry.body.size();
  return {rule_count(list), literal_count};
}

}  // namespace

std::vector<ListBlock> blocks(const DecisionList& list) {
  std::vector<ActionId> actions;
  std::transform(list.entries.begin(), list.entries.end(), std::back_inserter(actions),
                 [](const ActionRule& rule) { return rule.action; });
  return blocks(actions, list.otherwise);
}

std::size_t rule_count(const DecisionList& list) {
  const std::vector<ListBlock> all = blocks(list);
  return list.entries.size() + 1 +
         static_cast<std::size_t>(
             std::count_if(all.begin(), all.end(), [](const ListBlock& block) { return block.named; }));
}

DecisionList find_decision_list(const Scope& scope, Masks allowed, std::span<const DecisionList> starts) {
  std::optional<DecisionList> best;
  const auto improve = [&](DecisionList list) {
    drop_redundant(list, scope, allowed);
    shorten(list, scope, allowed);
    drop_redundant(list, scope, allowed);
    if (!best || length(list) < length(*best)) best = std::move(list);
  };
  for (const DecisionList& start : starts) improve(start);
  RandomSequence random(RandomStream(0, 0));
  for (const double cost : kBlockCosts) improve(ListBuilder(scope, allowed, cost, random).build());
  return *best;
}

}  // namespace ndnf
