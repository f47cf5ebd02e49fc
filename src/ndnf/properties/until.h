#pragma once

#include <cstddef>
#include <vector>

#include "ndnf/properties/episode_chain.h"
#include "ndnf/properties/property.h"

namespace ndnf {

/// All path formulas in one form: a position of `goal` after `first` to `steps` steps, and only positions of
/// `stay` before. X has `first` = 1; G is the complement of reaching its negation. For return and length: all
/// of the first `steps` steps, no goal.
struct Until {
  using PositionId = EpisodeChain::PositionId;

  std::vector<bool> stay;
  std::vector<bool> goal;
  std::size_t first = 0;
  std::size_t steps = 0;
  bool complement = false;

  bool reached(PositionId p, std::size_t step) const { return step >= first && goal[p]; }
  /// Whether an episode that is here after `step` steps, and not at its goal, can still reach it.
  bool goes_on(const EpisodeChain& chain, PositionId p, std::size_t step) const {
    return step < steps && stay[p] && !chain[p].is_end();
  }
};

Until until_form(const Property& property, const EpisodeChain& chain);

}  // namespace ndnf
