#include "ndnf/verify/reason.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ndnf {
namespace {

using Groups = std::vector<std::size_t>;

/// The step limit of the exact search; beyond it the greedy result is used.
constexpr std::size_t kMaxSearchSteps = 200'000;

bool hits(const Groups& chosen, const Groups& set) {
  return std::any_of(set.begin(), set.end(), [&](std::size_t g) {
    return std::find(chosen.begin(), chosen.end(), g) != chosen.end();
  });
}

bool hits_all(const Groups& chosen, const std::vector<Groups>& sets) {
  return std::all_of(sets.begin(), sets.end(), [&](const Groups& set) { return hits(chosen, set); });
}

/// Greedily adds the group in most sets not hit yet, then removes groups that turn out to be redundant.
Groups greedy_hitting_set(const std::vector<Groups>& sets, std::size_t group_count) {
  Groups chosen;
  while (!hits_all(chosen, sets)) {
    std::vector<std::size_t> gain(group_count, 0);
    for (const Groups& set : sets) {
      if (hits(chosen, set)) continue;
      for (const std::size_t g : set) ++gain[g];
    }
    chosen.push_back(static_cast<std::size_t>(std::max_element(gain.begin(), gain.end()) - gain.begin()));
  }
  for (std::size_t i = chosen.size(); i-- > 0;) {
    Groups fewer = chosen;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (hits_all(fewer, sets)) chosen = std::move(fewer);
  }
  return chosen;
}

/// Looks for a hitting set with at most a given size by bounded depth-first search: one group of the first
/// set not hit must be in it. With sets of at most d groups this takes at most d^size steps.
class HittingSetSearch {
 public:
  explicit HittingSetSearch(const std::vector<Groups>& sets) : sets_(sets) {}

  bool find(std::size_t size) {
    if (++steps_ > kMaxSearchSteps) return false;
    const auto open =
        std::find_if(sets_.begin(), sets_.end(), [&](const Groups& set) { return !hits(chosen_, set); });
    if (open == sets_.end()) return true;
    if (chosen_.size() == size) return false;
    for (const std::size_t g : *open) {
      chosen_.push_back(g);
      if (find(size)) return true;
      chosen_.pop_back();
    }
    return false;
  }
  bool gave_up() const { return steps_ > kMaxSearchSteps; }
  const Groups& chosen() const { return chosen_; }

 private:
  const std::vector<Groups>& sets_;
  Groups chosen_;
  std::size_t steps_ = 0;
};

}  // namespace

ReasonFinder::ReasonFinder(const ObservationTable& table, const PolicyTable& policy, std::vector<ObsId> scope)
    : table_(table), policy_(policy), scope_(std::move(scope)) {}

std::vector<std::size_t> ReasonFinder::differing_groups(ObsId a, ObsId b) const {
  Groups groups;
  for (std::size_t g = 0; g < table_.vocabulary().group_count(); ++g) {
    if (table_.values(a)[g] != table_.values(b)[g]) groups.push_back(g);
  }
  return groups;
}

bool ReasonFinder::same_action(ObsId a, ObsId b) const {
  return policy_.defined(a) && policy_.defined(b) && policy_.argmax(a) == policy_.argmax(b);
}

// A set of groups is a reason if every observation with another action differs from `obs` in one of them,
// that is, if it hits all these sets of differing groups. So a smallest reason is a minimum hitting set. This
// is NP-hard; the search tries sizes from 0 up to below the greedy result, smallest sets first, and within
// kMaxSearchSteps proves the minimum.
std::optional<Reason> ReasonFinder::reason(ObsId obs) const {
  std::set<Groups> distinct;  // each must be hit to exclude an observation with another action
  for (const ObsId other : scope_) {
    if (other != obs && !same_action(obs, other)) distinct.insert(differing_groups(obs, other));
  }
  if (distinct.count({}) > 0) return std::nullopt;
  std::vector<Groups> sets(distinct.begin(), distinct.end());
  std::stable_sort(sets.begin(), sets.end(),
                   [](const Groups& a, const Groups& b) { return a.size() < b.size(); });
  Reason reason{greedy_hitting_set(sets, table_.vocabulary().group_count()), true};
  HittingSetSearch search(sets);
  for (std::size_t size = 0; size < reason.groups.size() && !search.gave_up(); ++size) {
    if (!search.find(size)) continue;
    reason.groups = search.chosen();
    break;
  }
  reason.smallest = !search.gave_up();
  std::sort(reason.groups.begin(), reason.groups.end());
  return reason;
}

std::size_t ReasonFinder::value_distance(ObsId a, ObsId b) const {
  std::size_t sum = 0;
  for (std::size_t g = 0; g < table_.vocabulary().group_count(); ++g) {
    const auto [low, high] = std::minmax(table_.values(a)[g], table_.values(b)[g]);
    sum += high - low;
  }
  return sum;
}

std::vector<WhyNot> ReasonFinder::why_not(ObsId obs) const {
  std::vector<WhyNot> answers(policy_.action_count());
  std::vector<std::pair<std::size_t, std::size_t>> best(answers.size());
  for (ActionId a = 0; a < answers.size(); ++a) answers[a].action = a;
  for (const ObsId other : scope_) {
    if (!policy_.defined(other)) continue;
    const ActionId action = policy_.argmax(other);
    WhyNot& answer = answers[action];
    Groups groups = differing_groups(obs, other);
    const std::pair distance(groups.size(), value_distance(obs, other));
    if (answer.nearest && distance >= best[action]) continue;
    best[action] = distance;
    answer.nearest = other;
    answer.groups = std::move(groups);
  }
  if (policy_.defined(obs)) answers.erase(answers.begin() + policy_.argmax(obs));
  return answers;
}

std::string ReasonFinder::describe(ObsId obs, const std::vector<std::size_t>& groups) const {
  std::vector<std::string> parts;
  for (const std::size_t g : groups) {
    const AtomGroup& group = table_.vocabulary().group(g);
    const std::uint32_t value = table_.values(obs)[g];
    parts.push_back(group.one_hot ? group.atoms[value] : (value != 0 ? "" : "not ") + group.atoms[0]);
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace ndnf
