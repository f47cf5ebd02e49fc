#include "ndnf/properties/until.h"

#include <algorithm>

#include "ndnf/properties/positions_where.h"

namespace ndnf {

Until until_form(const Property& property, const EpisodeChain& chain) {
  const PathFormula& path = property.path;
  const std::size_t horizon = chain.model().horizon();  // perhaps FiniteModel::kEndless
  const std::size_t steps = std::min(path.steps.value_or(horizon), horizon);
  const std::vector<bool> all(chain.size(), true);
  if (property.measure != Property::Measure::kProbability) {
    return {all, std::vector<bool>(chain.size(), false), 0, steps, false};
  }
  Until until{all, positions_where(path.right, chain), 0, steps, false};
  if (path.kind == PathFormula::Kind::kNext) until.first = until.steps = 1;
  if (path.kind == PathFormula::Kind::kUntil) until.stay = positions_where(path.left, chain);
  if (path.kind == PathFormula::Kind::kGlobally) {
    until.goal.flip();
    until.complement = true;
  }
  return until;
}

}  // namespace ndnf
