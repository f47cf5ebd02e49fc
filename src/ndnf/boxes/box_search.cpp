#include "ndnf/boxes/box_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace ndnf {
namespace {

constexpr std::size_t kStarts = 20;
constexpr std::size_t kMaxSweeps = 4;

/// The observations that all groups except g admit.
PositionSet open_to(std::size_t g, const std::vector<PositionSet>& by_group, std::size_t observations) {
  if (by_group.size() == 1) return PositionSet::first(observations);
  PositionSet open = by_group[g == 0 ? 1 : 0];
  for (std::size_t other = 0; other < by_group.size(); ++other) {
    if (other != g) open &= by_group[other];
  }
  return open;
}

}  // namespace

PositionSet BoxSearch::showing_one_of(std::size_t g, const ValueSet& set) const {
  PositionSet positions(scope_.size());
  for (const std::uint32_t value : set.values()) positions |= scope_.showing(g, value);
  return positions;
}

// The best set of values for one group, exactly. With G and H the sums of g and h over the chosen values, the
// gain G²/H is convex in (G, H), so at the maximum no other subset increases its linearisation. Hence the
// best set consists of the values with g/h > G/(2H) (ties do not matter), and it is enough to sort the values
// by g/h and to try every prefix: O(n + V log V) for V values.
double BoxSearch::improve(std::span<const double> g, std::span<const double> h, const PositionSet& open,
                          std::size_t group, ValueSet& set) const {
  struct Sums {
    double g = 0;
    double h = 0;
    std::uint32_t value = 0;
  };
  const std::size_t value_count = scope_.vocabulary().group(group).value_count();
  std::vector<Sums> sums(value_count);
  for (const std::uint32_t i : open.values()) {
    Sums& sum = sums[scope_.values(i)[group]];
    sum.g += g[i];
    sum.h += h[i];
  }
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v].value = static_cast<std::uint32_t>(v);
  std::erase_if(sums, [](const Sums& s) { return s.h <= 0; });
  std::sort(sums.begin(), sums.end(), [](const Sums& a, const Sums& b) { return a.g * b.h > b.g * a.h; });
  double gain = 0;
  std::size_t taken = 0;
  Sums total;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    total.g += sums[k].g;
    total.h += sums[k].h;
    if (total.g <= 0) break;
    if (total.g * total.g > gain * total.h) {
      gain = total.g * total.g / total.h;
      taken = k + 1;
    }
  }
  if (taken == 0) return 0;
  set = ValueSet(value_count);
  for (std::size_t k = 0; k < taken; ++k) set.insert(sums[k].value);
  return gain;
}

// The set that a group had is among those that improve() considers, so the gain never falls. The result is a
// local maximum or, after kMaxSweeps rounds over all groups, whatever has been reached.
BoxSearch::Found BoxSearch::climb(std::span<const double> g, std::span<const double> h, Box start,
                                  std::size_t first_group) const {
  Found found{std::move(start), 0};
  const std::size_t groups = found.box.groups.size();
  std::vector<PositionSet> by_group;
  for (std::size_t k = 0; k < groups; ++k) by_group.push_back(showing_one_of(k, found.box.groups[k]));
  std::size_t unchanged = 0;
  for (std::size_t step = 0; step < kMaxSweeps * groups && unchanged < groups; ++step) {
    const std::size_t group = (first_group + step) % groups;
    const PositionSet open = open_to(group, by_group, scope_.size());
    const double gain = improve(g, h, open, group, found.box.groups[group]);
    unchanged = gain <= found.gain * (1 + 1e-9) ? unchanged + 1 : 1;
    found.gain = gain;
    by_group[group] = showing_one_of(group, found.box.groups[group]);
  }
  return found;
}

BoxSearch::Found BoxSearch::find(std::span<const double> g, std::span<const double> h) const {
  std::vector<std::size_t> order(g.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t starts = std::min(kStarts, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(starts), order.end(),
                    [&](std::size_t a, std::size_t b) { return std::abs(g[a]) > std::abs(g[b]); });
  std::vector<double> negative(g.size());
  std::transform(g.begin(), g.end(), negative.begin(), [](double x) { return -x; });
  Found best;
  for (std::size_t s = 0; s < starts; ++s) {
    const std::span<const double> gradient = g[order[s]] < 0 ? std::span<const double>(negative) : g;
    for (std::size_t first = 0; first < scope_.vocabulary().group_count(); ++first) {
      Found found = climb(gradient, h, hull(scope_, std::array{order[s]}), first);
      if (found.gain > best.gain * (1 + 1e-9)) best = std::move(found);
    }
  }
  return best;
}

Box simplified(const Box& box, const Scope& scope) {
  const PositionSet inside = members(box, scope);
  const std::vector<std::uint32_t> positions = inside.values();
  Box result = hull(scope, std::vector<std::size_t>(positions.begin(), positions.end()));
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    Box wider = result;
    wider.groups[g] = scope.domain(g);
    PositionSet added = members(wider, scope);
    added -= inside;
    for (const std::uint32_t i : added.values()) wider.groups[g].erase(scope.values(i)[g]);
    // A single value is one literal; a larger set is one literal for each excluded value.
    if (result.groups[g].size() > 1 || wider.groups[g] == scope.domain(g)) result = std::move(wider);
  }
  return result;
}

}  // namespace ndnf
