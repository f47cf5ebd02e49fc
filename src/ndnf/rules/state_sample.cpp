#include "ndnf/rules/state_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ndnf/base/elementary.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr double kMostRegret = 4;
constexpr std::int64_t kMostStates = 1 << 24;

/// 1, 2 or 5 times a power of ten, at most `size` and at least 1.
std::int32_t round_step(double size) {
  std::int32_t power = 1;
  while (size >= 10.0 * power && power < 100'000'000) power *= 10;
  if (size >= 5.0 * power) return 5 * power;
  return size >= 2.0 * power ? 2 * power : power;
}

}  // namespace

void write_regrets(std::span<const double> probabilities, std::span<std::int32_t> regrets) {
  const double most = *std::max_element(probabilities.begin(), probabilities.end());
  for (std::size_t a = 0; a < probabilities.size(); ++a) {
    const double p = probabilities[a];
    const double regret = p > 0 ? std::min(kMostRegret, logarithm(most / p)) : kMostRegret;
    regrets[a] = static_cast<std::int32_t>(std::lround(regret * kRegretUnit));
  }
}

std::vector<std::int32_t> StateSample::row(std::size_t state) const {
  std::vector<std::int32_t> row;
  for (const auto& column : columns_) row.push_back(column[state]);
  return row;
}

void StateSample::add(std::span<const std::int32_t> row, std::span<const std::int32_t> regrets) {
  for (std::size_t f = 0; f < columns_.size(); ++f) columns_[f].push_back(row[f]);
  for (std::size_t a = 0; a < regrets_.size(); ++a) regrets_[a].push_back(regrets[a]);
}

void StateSample::set(std::size_t state, std::span<const std::int32_t> row,
                      std::span<const std::int32_t> regrets) {
  for (std::size_t f = 0; f < columns_.size(); ++f) columns_[f][state] = row[f];
  for (std::size_t a = 0; a < regrets_.size(); ++a) regrets_[a][state] = regrets[a];
}

void StateSample::add(const StateSample& other, std::span<const std::uint32_t> states) {
  const auto add_to = [&](std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from) {
    for (const std::uint32_t state : states) to.push_back(from[state]);
  };
  for (std::size_t f = 0; f < columns_.size(); ++f) add_to(columns_[f], other.columns_[f]);
  for (std::size_t a = 0; a < regrets_.size(); ++a) add_to(regrets_[a], other.regrets_[a]);
}

void StateSample::thin(std::size_t most, RandomSequence& random) {
  if (size() <= most) return;
  std::vector<std::uint32_t> kept = drawn_without_repetition(most, size(), random);
  std::sort(kept.begin(), kept.end());
  StateSample thinner(columns_.size(), regrets_.size());
  thinner.add(*this, kept);
  *this = std::move(thinner);
}

void StateSample::append_to(std::vector<std::int64_t>& numbers) const {
  numbers.push_back(static_cast<std::int64_t>(size()));
  for (const auto& column : columns_) numbers.insert(numbers.end(), column.begin(), column.end());
  for (const auto& column : regrets_) numbers.insert(numbers.end(), column.begin(), column.end());
}

StateSample StateSample::read(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                              std::size_t features, std::size_t actions) {
  const auto fail = [&] { throw Error(where, "its visited states are damaged"); };
  if (at >= numbers.size() || numbers[at] < 0 || numbers[at] > kMostStates) fail();
  const auto count = static_cast<std::size_t>(numbers[at++]);
  if (numbers.size() - at < count * (features + actions)) fail();
  StateSample sample(features, actions);
  const auto take = [&](std::vector<std::int32_t>& column) {
    for (std::size_t i = 0; i < count; ++i) column.push_back(static_cast<std::int32_t>(numbers[at++]));
  };
  for (auto& column : sample.columns_) take(column);
  for (auto& column : sample.regrets_) take(column);
  return sample;
}

std::vector<std::uint32_t> drawn_without_repetition(std::size_t count, std::size_t bound,
                                                    RandomSequence& random) {
  std::vector<std::uint32_t> all(bound);
  std::iota(all.begin(), all.end(), 0u);
  count = std::min(count, bound);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(all[i], all[i + random.below(static_cast<std::uint32_t>(bound - i))]);
  all.resize(count);
  return all;
}

void write_truth(const SumLiteral& comparison, const StateSample& sample, TruthColumn& truth) {
  const std::size_t count = sample.size();
  truth.resize(count);
  const std::uint8_t flip = comparison.above ? 0 : 1;
  if (comparison.terms.size() == 1 && comparison.terms[0].factor == 1) {
    const std::int32_t* column = sample.column(comparison.terms[0].feature).data();
    const std::int32_t bound = comparison.bound;
    for (std::size_t i = 0; i < count; ++i)
      truth[i] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(column[i] > bound) ^ flip);
    return;
  }
  std::vector<std::int32_t> sums(count, 0);
  for (const SumTerm& term : comparison.terms) {
    const std::int32_t* column = sample.column(term.feature).data();
    for (std::size_t i = 0; i < count; ++i) sums[i] += term.factor * column[i];
  }
  for (std::size_t i = 0; i < count; ++i)
    truth[i] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(sums[i] > comparison.bound) ^ flip);
}

void write_truth(const ListedRule& rule, const StateSample& sample, TruthColumn& truth) {
  truth.assign(sample.size(), 1);
  TruthColumn one;
  for (const SumLiteral& literal : rule.body) {
    write_truth(literal, sample, one);
    for (std::size_t i = 0; i < truth.size(); ++i) truth[i] &= one[i];
  }
}

void write_decisions(const RuleList& list, const StateSample& sample, std::vector<std::uint8_t>& actions) {
  actions.assign(sample.size(), static_cast<std::uint8_t>(list.otherwise));
  TruthColumn truth;
  for (std::size_t r = list.rules.size(); r-- > 0;) {  // earlier rules override later ones
    write_truth(list.rules[r], sample, truth);
    const auto action = static_cast<std::uint8_t>(list.rules[r].action);
    for (std::size_t i = 0; i < actions.size(); ++i) actions[i] = truth[i] != 0 ? action : actions[i];
  }
}

std::int64_t regret_of(std::span<const std::uint8_t> actions, const StateSample& sample) {
  std::int64_t sum = 0;
  for (ActionId a = 0; a < sample.action_count(); ++a) {
    const std::int32_t* regrets = sample.regrets(a).data();
    std::int64_t own = 0;
    for (std::size_t i = 0; i < actions.size(); ++i) own += actions[i] == a ? regrets[i] : 0;
    sum += own;
  }
  return sum;
}

std::int32_t Spread::rounded(double bound) const {
  constexpr double kFar = std::numeric_limits<std::int32_t>::max() / 2;
  const double steps = std::round(std::clamp(bound, -kFar, kFar) / step);
  return static_cast<std::int32_t>(steps) * step;
}

Spread spread_of(std::span<const std::int32_t> values) {
  constexpr std::size_t kLeftOut = 200;  // one of so many at either end
  constexpr double kSteps = 100;
  if (values.empty()) return {};
  std::vector<std::int32_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Spread spread{sorted[sorted.size() / kLeftOut], sorted[sorted.size() - 1 - sorted.size() / kLeftOut], 1};
  if (!spread.varies()) spread = {sorted.front(), sorted.back(), 1};
  spread.step = round_step((static_cast<double>(spread.high) - spread.low) / kSteps);
  return spread;
}

std::vector<Spread> spreads_of(const StateSample& sample) {
  std::vector<Spread> all;
  for (std::size_t f = 0; f < sample.feature_count(); ++f) all.push_back(spread_of(sample.column(f)));
  return all;
}

}  // namespace ndnf
