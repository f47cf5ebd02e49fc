#include "ndnf/distributions/incompatible_rows.h"

#include <algorithm>
#include <utility>

#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/mdp/distribution.h"

namespace ndnf {

// Two rows within epsilon of the same distribution are within 2 epsilon of each other, so rows that are
// pairwise further apart need different annotated disjunctions. Scans the rows by one action's probability
// and keeps each that is far enough from all kept before: only the last ones can be close, since the others
// already differ in that action. With two actions this finds the maximum: rows are points on a line.
std::vector<ObsId> incompatible_rows(const PolicyTable& policy, std::span<const ObsId> where,
                                     double epsilon) {
  std::vector<ObsId> uncertain;
  std::copy_if(where.begin(), where.end(), std::back_inserter(uncertain),
               [&](ObsId obs) { return !is_nearly_certain(policy.row(obs), epsilon); });
  std::vector<ObsId> best;
  for (ActionId a = 0; a < policy.action_count(); ++a) {
    std::stable_sort(uncertain.begin(), uncertain.end(),
                     [&](ObsId l, ObsId r) { return policy.row(l)[a] < policy.row(r)[a]; });
    std::vector<ObsId> chosen;
    for (const ObsId obs : uncertain) {
      const auto own = policy.row(obs);
      const auto far = std::find_if(chosen.rbegin(), chosen.rend(),
                                    [&](ObsId other) { return own[a] - policy.row(other)[a] > 2 * epsilon; });
      const bool differs = std::all_of(chosen.rbegin(), far, [&](ObsId other) {
        return largest_difference(own, policy.row(other)) > 2 * epsilon;
      });
      if (differs) chosen.push_back(obs);
    }
    if (chosen.size() > best.size()) best = std::move(chosen);
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace ndnf
