#include "ndnf/boxes/fooling_set.h"

#include <algorithm>

namespace ndnf {
namespace {

std::uint64_t only(ActionId action) { return std::uint64_t{1} << action; }

/// True if one legal box contains both, that is, if the smallest box around both is legal: no outsider shares
/// its value in every group with one of them.
bool fit_together(const Scope& scope, const PositionSet& outside, std::size_t i, std::size_t j) {
  const std::span<const std::uint32_t> a = scope.values(i);
  const std::span<const std::uint32_t> b = scope.values(j);
  for (std::size_t w = 0; w < outside.words().size(); ++w) {
    std::uint64_t held = outside.words()[w];
    for (std::size_t g = 0; g < a.size() && held != 0; ++g)
      held &= scope.showing(g, a[g]).words()[w] | scope.showing(g, b[g]).words()[w];
    if (held != 0) return false;
  }
  return true;
}

PositionSet not_allowing(const Scope& scope, std::span<const std::uint64_t> allowed, ActionId action) {
  PositionSet outside = PositionSet::first(scope.size());
  return outside -= allowing(scope, allowed, action);
}

/// Per position, the positions that can be in a fooling set with it. Empty where other actions are allowed
/// too.
std::vector<PositionSet> rivals(const Scope& scope, std::span<const std::uint64_t> allowed, ActionId action) {
  const PositionSet outside = not_allowing(scope, allowed, action);
  std::vector<PositionSet> rivals(scope.size(), PositionSet(scope.size()));
  for (std::size_t i = 0; i < scope.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (allowed[i] != only(action) || allowed[j] != only(action)) continue;
      if (fit_together(scope, outside, i, j)) continue;
      rivals[i].insert(j);
      rivals[j].insert(i);
    }
  }
  return rivals;
}

/// Greedily adds the position that keeps most candidates. A fooling set is a clique of the graph of rivals.
/// Finding the largest clique is NP-hard, but every clique is a valid lower bound. With bit sets the graph
/// costs n² · groups · n/64 word operations, and a run from one start |clique| · n · n/64.
std::vector<std::size_t> greedy_from(std::size_t first, const std::vector<PositionSet>& rivals) {
  std::vector<std::size_t> chosen{first};
  PositionSet left = rivals[first];
  while (!left.empty()) {
    const std::vector<std::uint32_t> choices = left.values();
    const std::size_t best = *std::max_element(
        choices.begin(), choices.end(),
        [&](std::size_t a, std::size_t b) { return common(left, rivals[a]) < common(left, rivals[b]); });
    chosen.push_back(best);
    left &= rivals[best];
  }
  return chosen;
}

}  // namespace

PositionSet allowing(const Scope& scope, std::span<const std::uint64_t> allowed, ActionId action) {
  PositionSet positions(scope.size());
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if ((allowed[i] & only(action)) != 0) positions.insert(i);
  }
  return positions;
}

bool is_fooling_set(const Scope& scope, std::span<const std::uint64_t> allowed, ActionId action,
                    std::span<const std::size_t> positions) {
  const PositionSet outside = not_allowing(scope, allowed, action);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (positions[k] >= scope.size() || allowed[positions[k]] != only(action)) return false;
    for (std::size_t l = 0; l < k; ++l) {
      if (fit_together(scope, outside, positions[k], positions[l])) return false;
    }
  }
  return true;
}

std::vector<std::size_t> find_fooling_set(const Scope& scope, std::span<const std::uint64_t> allowed,
                                          ActionId action) {
  const std::vector<PositionSet> graph = rivals(scope, allowed, action);
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (allowed[i] != only(action)) continue;
    std::vector<std::size_t> found = greedy_from(i, graph);
    if (found.size() > best.size()) best = std::move(found);
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace ndnf
