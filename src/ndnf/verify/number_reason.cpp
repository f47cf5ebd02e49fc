#include "ndnf/verify/number_reason.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace ndnf {
namespace {

/// Sets up to this size are all tried; larger reasons are only made minimal.
constexpr std::size_t kSmallSets = 3;

}  // namespace

NumberReasons::NumberReasons(const BoundProgram& bound, std::shared_ptr<const Vocabulary> vocabulary)
    : vocabulary_(std::move(vocabulary)), cells_(vocabulary_, bound.comparisons()) {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    rows_.push_back(bound.row(cells_.observation(cell)));
}

std::size_t NumberReasons::feature_count() const {
  return cells_.comparisons().size() + vocabulary_->group_count();
}

bool NumberReasons::same(std::size_t feature, std::size_t a, std::size_t b) const {
  if (feature < cells_.comparisons().size()) return cells_.holds(a, feature) == cells_.holds(b, feature);
  const std::size_t group = feature - cells_.comparisons().size();
  return cells_.observation(a).values[group] == cells_.observation(b).values[group];
}

bool NumberReasons::suffices(const std::vector<std::size_t>& features, std::size_t cell) const {
  for (std::size_t other = 0; other < cells_.size(); ++other) {
    if (rows_[other] == rows_[cell]) continue;
    const bool alike = std::all_of(features.begin(), features.end(),
                                   [&](std::size_t feature) { return same(feature, cell, other); });
    if (alike) return false;
  }
  return true;
}

NumberReasons::Reason NumberReasons::reason(const QuantisedObservation& at) const {
  const std::size_t cell = cells_.find(at);
  std::vector<std::size_t> chosen;
  // All sets of a size, in lexicographic order; `from` is the first feature that may be added.
  const std::function<bool(std::size_t, std::size_t)> extend = [&](std::size_t size, std::size_t from) {
    if (size == 0) return suffices(chosen, cell);
    for (std::size_t feature = from; feature < feature_count(); ++feature) {
      chosen.push_back(feature);
      if (extend(size - 1, feature + 1)) return true;
      chosen.pop_back();
    }
    return false;
  };
  for (std::size_t size = 0; size <= std::min(kSmallSets, feature_count()); ++size) {
    if (extend(size, 0)) return {texts(chosen, cell), true};
  }
  chosen.resize(feature_count());
  std::iota(chosen.begin(), chosen.end(), 0);
  for (std::size_t feature = 0; feature < feature_count(); ++feature) {
    std::vector<std::size_t> without = chosen;
    std::erase(without, feature);
    if (suffices(without, cell)) chosen = std::move(without);
  }
  return {texts(chosen, cell), chosen.size() == kSmallSets + 1};
}

std::optional<NumberReasons::Change> NumberReasons::why_not(const QuantisedObservation& at,
                                                            ActionId action) const {
  const std::size_t cell = cells_.find(at);
  std::optional<std::size_t> nearest;
  std::vector<std::size_t> least;
  for (std::size_t other = 0; other < cells_.size(); ++other) {
    if (rows_[other][action] <= 0) continue;
    std::vector<std::size_t> changed;
    for (std::size_t feature = 0; feature < feature_count(); ++feature) {
      if (!same(feature, cell, other)) changed.push_back(feature);
    }
    if (nearest && changed.size() >= least.size()) continue;
    nearest = other;
    least = std::move(changed);
  }
  if (!nearest) return std::nullopt;
  return Change{texts(least, *nearest), cells_.observation(*nearest)};
}

std::string NumberReasons::text(std::size_t feature, std::size_t cell) const {
  if (feature < cells_.comparisons().size())
    return reading({cells_.comparisons()[feature], cells_.holds(cell, feature)}, *vocabulary_);
  const std::size_t group = feature - cells_.comparisons().size();
  const AtomGroup& known = vocabulary_->group(group);
  const std::uint32_t value = cells_.observation(cell).values[group];
  if (known.one_hot) return known.atoms[value];
  return (value == 0 ? "not " : "") + known.atoms[0];
}

std::string NumberReasons::texts(const std::vector<std::size_t>& features, std::size_t cell) const {
  std::string all;
  for (const std::size_t feature : features) all += (all.empty() ? "" : ", ") + text(feature, cell);
  return all;
}

}  // namespace ndnf
