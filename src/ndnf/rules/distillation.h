#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/rules/linear.h"
#include "ndnf/rules/rule_list.h"
#include "ndnf/rules/state_sample.h"

namespace ndnf {

/// The size and kind of lists that are looked for.
struct ListLimits {
  std::size_t rules = 24;
  std::size_t literals = 48;
  bool linear = true;  ///< Whether literals may have two or three terms.

  bool allow(const RuleList& list) const {
    return list.rules.size() <= rules && list.literal_count() <= literals;
  }
};

/// A list and its regret on the sample it was made for.
struct DistilledList {
  RuleList list;
  std::int64_t regret = 0;
};

/// For each size from 0 to `most_terms` the list with the smallest regret that was found, if it is smaller
/// than that of every smaller list; the smallest first.
///
/// Lists grow by one literal at a time: a new rule of one literal anywhere in the list, or a literal more in
/// some rule. The best few lists of each size are polished and grow on; then all shrink again by a rule or a
/// literal, from the largest to the smallest, and everything once more. To polish a list means to replace
/// each literal in turn by the best one that is found in its place while the others stay, as in the
/// alternating optimisation of trees (Carreira-Perpiñán and Tavallali, 2018). A step never makes a list
/// worse. It stops growing when a hundredth of the regret of the best constant is left.
std::vector<DistilledList> distil(const StateSample& sample, const Features& features,
                                  const ListLimits& limits, std::size_t most_terms, RandomSequence& random);

}  // namespace ndnf
