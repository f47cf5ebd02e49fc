#include "ndnf/rules/literal_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ndnf/rules/linear.h"

namespace ndnf {
namespace {

constexpr std::int32_t kMostBins = 400;
constexpr WeighedLiteral kNone{std::numeric_limits<std::int64_t>::min(), {}};

std::int32_t ceiling(std::int32_t value, std::int32_t step) {
  return value / step + (value % step > 0 ? 1 : 0);
}

}  // namespace

LiteralSearch::LiteralSearch(const StateSample& sample, const Features& features, bool linear)
    : sample_(sample), features_(features), spreads_(spreads_of(sample)), columns_(features.size()) {
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    if (!spreads_[f].varies()) continue;
    varying_.push_back(f);
    if (linear && !features[f].is_atom()) numbers_.push_back(f);
  }
}

void LiteralSearch::weigh(std::span<const std::int32_t> weights) {
  states_.clear();
  weights_.clear();
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    states_.push_back(i);
    weights_.push_back(weights[i]);
  }
  for (const std::uint32_t f : varying_) {
    const std::vector<std::int32_t>& all = sample_.column(f);
    columns_[f].resize(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) columns_[f][i] = all[states_[i]];
  }
}

void LiteralSearch::add_up(const std::vector<SumTerm>& terms) {
  sums_.assign(weights_.size(), 0);
  for (const SumTerm& term : terms) {
    const std::int32_t* column = columns_[term.feature].data();
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += term.factor * column[i];
  }
}

std::int64_t LiteralSearch::gain_of(const SumLiteral& literal) {
  add_up(literal.terms);
  std::int64_t gain = 0;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    gain += (sums_[i] > literal.bound) == literal.above ? weights_[i] : 0;
  return gain;
}

WeighedLiteral LiteralSearch::divide(const std::vector<SumTerm>& terms) {
  const Spread spread = spread_of_sum(terms, spreads_);
  if (!spread.varies()) return kNone;
  // A sum is above m * step where ceiling(sum / step) is above m: its bin is ceiling(sum / step) - first.
  const std::int32_t first = ceiling(spread.low, spread.step);
  const std::int32_t bins = std::clamp(ceiling(spread.high, spread.step) - first + 1, 2, kMostBins);
  const std::size_t count = weights_.size();
  add_up(terms);
  // Half a unit less, so that no sum is so near a border of bins that rounding decides.
  const double offset = 0.5 + static_cast<double>(first - 1) * spread.step;
  const double bins_each = 1.0 / spread.step;
  const double last = bins - 1;
  for (std::size_t i = 0; i < count; ++i)
    sums_[i] = static_cast<std::int32_t>(std::clamp((sums_[i] - offset) * bins_each, 0.0, last));
  histogram_.assign(static_cast<std::size_t>(bins), 0);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) histogram_[static_cast<std::size_t>(sums_[i])] += weights_[i];
  for (const std::int64_t own : histogram_) total += own;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  std::int32_t at = 0;
  bool above = true;
  std::int64_t below = 0;
  for (std::int32_t k = 0; k + 1 < bins; ++k) {
    below += histogram_[static_cast<std::size_t>(k)];
    const std::int64_t gain = std::max(below, total - below);
    if (gain > most) most = gain, at = k, above = total - below > below;
  }
  WeighedLiteral found{most, {terms, (first + at) * spread.step, above}};
  return fits(found.literal, features_) ? found : kNone;
}

void LiteralSearch::improve(WeighedLiteral& best, std::size_t changes, RandomSequence& random) {
  if (best.literal.terms.size() < 2) return;
  for (std::size_t i = 0; i < changes; ++i) {
    const auto terms = changed_sum(best.literal.terms, numbers_, spreads_, features_, random);
    if (!terms) continue;
    WeighedLiteral other = divide(*terms);
    if (other.gain > best.gain) best = std::move(other);
  }
}

std::vector<WeighedLiteral> LiteralSearch::best(const Effort& effort, RandomSequence& random) {
  std::vector<WeighedLiteral> by_terms(1, kNone);
  for (const std::uint32_t f : varying_) {
    WeighedLiteral own = divide({{f, 1}});
    if (own.gain > by_terms[0].gain) by_terms[0] = std::move(own);
  }
  if (numbers_.size() < 2) return by_terms;
  for (std::size_t terms = 2; terms <= std::min(kMostTerms, numbers_.size()); ++terms) {
    WeighedLiteral found = kNone;
    for (std::size_t i = 0; i < effort.draws; ++i) {
      const auto sum = drawn_sum(terms, numbers_, spreads_, features_, random);
      if (!sum) continue;
      WeighedLiteral own = divide(*sum);
      if (own.gain > found.gain) found = std::move(own);
    }
    improve(found, effort.changes, random);
    by_terms.push_back(std::move(found));
  }
  return by_terms;
}

SumLiteral LiteralSearch::best_instead(const SumLiteral& literal, const Effort& effort,
                                       RandomSequence& random) {
  WeighedLiteral best{gain_of(literal), literal};
  const auto consider = [&](const std::vector<SumTerm>& terms) {
    WeighedLiteral own = divide(terms);
    if (own.gain > best.gain) best = std::move(own);
  };
  consider(literal.terms);
  for (const std::uint32_t f : varying_) consider({{f, 1}});
  const std::size_t most = std::min(literal.terms.size(), numbers_.size());
  for (std::size_t terms = 2; terms <= most; ++terms) {
    for (std::size_t i = 0; i < effort.draws; ++i) {
      if (const auto sum = drawn_sum(terms, numbers_, spreads_, features_, random)) consider(*sum);
    }
  }
  improve(best, effort.changes, random);
  return best.literal;
}

}  // namespace ndnf
