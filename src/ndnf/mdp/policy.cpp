#include "ndnf/mdp/policy.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/distribution.h"

namespace ndnf {
namespace {

constexpr double kRowTolerance = 1e-6;

double sum_of(std::span<const double> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

}  // namespace

PolicyTable::PolicyTable(std::size_t action_count, std::vector<double> rows, std::vector<double> exactly_one)
    : action_count_(action_count), rows_(std::move(rows)), exactly_one_(std::move(exactly_one)) {
  for (const double p : rows_) {
    if (!(p >= 0 && p <= 1))
      throw Error("", fmt::format("{} is not a probability", p), "it must be from 0 to 1");
  }
  defined_.resize(size());
  for (ObsId obs = 0; obs < size(); ++obs) {
    const bool one = this->exactly_one(obs) >= 1 - kRowTolerance;
    defined_[obs] = one && std::abs(sum_of(row(obs)) - 1) <= kRowTolerance;
  }
}

std::string PolicyTable::defect(ObsId obs) const {
  const auto probabilities = row(obs);
  const auto certain = std::count(probabilities.begin(), probabilities.end(), 1.0);
  const double sum = sum_of(probabilities);
  if (sum == 0) return "names no action";
  if (certain > 1) return fmt::format("names {} actions", certain);
  if (std::abs(sum - 1) > kRowTolerance) return fmt::format("gives probabilities that sum to {:.9g}", sum);
  return fmt::format("takes exactly one action with a probability of {:.9g} only", exactly_one(obs));
}

ActionId PolicyTable::argmax(ObsId obs) const { return static_cast<ActionId>(most_probable(row(obs))); }

PolicyTable tabulate(const Policy& policy, const ObservationTable& table) {
  constexpr std::size_t kBatch =
      8192;  // a network's activations stay in the cache, whatever the table's size
  const std::size_t actions = policy.action_count();
  std::vector<ObsId> ids(table.size());
  std::iota(ids.begin(), ids.end(), 0u);
  std::vector<double> rows(table.size() * actions);
  for (std::size_t begin = 0; begin < ids.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, ids.size() - begin);
    policy.probabilities(table, std::span(ids).subspan(begin, count),
                         std::span(rows).subspan(begin * actions, count * actions));
  }
  return {actions, std::move(rows), policy.exactly_one(table, ids)};
}

PolicyTable uniform_policy(const ObservationTable& table) {
  const std::size_t actions = table.vocabulary().action_count();
  return {actions, std::vector<double>(table.size() * actions, 1.0 / static_cast<double>(actions))};
}

Selection Selection::parse(std::string_view where, std::string_view text) {
  constexpr std::string_view kEpsilonPrefix = "epsilon:";
  if (text == "argmax") return {Kind::kArgmax, 0};
  if (text == "sample") return {Kind::kSample, 0};
  if (text.starts_with(kEpsilonPrefix)) {
    const std::string_view number = text.substr(kEpsilonPrefix.size());
    double epsilon = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), epsilon);
    if (error == std::errc() && end == number.data() + number.size() && epsilon >= 0 && epsilon <= 1) {
      return {Kind::kEpsilon, epsilon};
    }
  }
  throw Error(std::string(where), fmt::format("{} is not a way to select actions", text),
              "use argmax, sample, or epsilon:X with X from 0 to 1");
}

std::string Selection::to_string() const {
  switch (kind) {
    case Kind::kArgmax:
      return "argmax";
    case Kind::kSample:
      return "sample";
    case Kind::kEpsilon:
      return fmt::format("epsilon:{}", epsilon);
  }
  return "";
}

PolicyTable select(const PolicyTable& policy, const Selection& selection, const ActionMask* mask) {
  if (selection.kind == Selection::Kind::kSample) return policy;
  const std::size_t actions = policy.action_count();
  std::vector<double> rows;
  std::vector<double> exactly_one;
  rows.reserve(policy.size() * actions);
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    exactly_one.push_back(policy.exactly_one(obs));
    if (!policy.defined(obs)) {
      rows.insert(rows.end(), policy.row(obs).begin(), policy.row(obs).end());
      continue;
    }
    const std::size_t free = mask == nullptr ? actions : mask->allowed_count(obs);
    for (ActionId a = 0; a < actions; ++a) {
      const bool allowed = mask == nullptr || mask->allows(obs, a);
      rows.push_back(allowed ? selection.epsilon / static_cast<double>(free) : 0);
    }
    rows[obs * actions + policy.argmax(obs)] += 1 - selection.epsilon;
  }
  return {actions, std::move(rows), std::move(exactly_one)};
}

}  // namespace ndnf
