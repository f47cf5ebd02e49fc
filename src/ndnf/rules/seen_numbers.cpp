#include "ndnf/rules/seen_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ndnf/rules/island.h"
#include "ndnf/rules/race.h"

namespace ndnf {
namespace {

constexpr std::size_t kEpisodes = 32;
constexpr std::uint64_t kFirstEpisode = std::uint64_t{1} << 21;  // far from those that students learn from
constexpr std::size_t kFew = 8;                                  ///< So many values of a number are few,
constexpr std::size_t kSameValue = 4;  ///< if this many different numbers, on average, are one value.
constexpr double kOftenOutside = 0.1;
/// A loss is no chance above so many standard errors, and worth a word above this part of the return.
constexpr double kErrors = 3;
constexpr double kNotable = 0.01;

/// What a teacher does if it knows of each number only the place on its grid.
class ThroughGrid final : public Policy {
 public:
  ThroughGrid(const Policy& policy, const SeenNumbers& seen, const Features& features)
      : policy_(policy), seen_(seen), features_(features) {}

  std::size_t action_count() const override { return policy_.action_count(); }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    if (!table.is_buffer()) return policy_.probabilities(table, ids, rows);  // it may be a table of these ids
    ObservationTable shown =
        ObservationTable::buffer(table.shared_vocabulary(), table.dense_size(), ids.size());
    std::vector<ObsId> own(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      own[i] = static_cast<ObsId>(i);
      const auto numbers = table.dense(ids[i]);
      std::vector<float> dense(numbers.begin(), numbers.end());
      for (std::size_t f = 0; f < features_.size(); ++f) {
        if (!features_[f].is_atom())
          dense[features_[f].number] = seen_.typical(f, features_.value(f, table, ids[i]));
      }
      shown.overwrite(own[i], table.values(ids[i]), dense);
    }
    policy_.probabilities(shown, own, rows);
  }

 private:
  const Policy& policy_;
  const SeenNumbers& seen_;
  const Features& features_;
};

std::vector<double> played(Player& player, const Policy& policy, std::uint64_t seed,
                           const Player::Visit& visit) {
  std::vector<double> returns;
  while (returns.size() < kEpisodes) {
    const std::uint64_t first = kFirstEpisode / player.lanes() * player.lanes() + returns.size();
    const auto more = player.watch(policy, 0, {seed, kTeacherSeries}, first, visit);
    returns.insert(returns.end(), more.begin(), more.end());
  }
  return returns;
}

bool is_notable(std::span<const double> exact, std::span<const double> seen) {
  const PairedDifference loss = paired_difference(exact, seen);
  const std::vector<double> nothing(exact.size(), 0.0);
  const double size = std::abs(paired_difference(exact, nothing).mean);
  return loss.mean > kErrors * loss.error && loss.mean > kNotable * size;
}

}  // namespace

SeenNumbers::SeenNumbers(std::shared_ptr<const Features> features)
    : features_(std::move(features)), seen_(features_->size()) {}

void SeenNumbers::operator()(const ObservationTable& table, ObsId obs) {
  const auto numbers = table.dense(obs);
  for (std::size_t f = 0; f < seen_.size(); ++f) {
    const Feature& feature = (*features_)[f];
    if (!feature.is_atom()) add(*feature.grid, numbers[feature.number], seen_[f]);
  }
}

void SeenNumbers::add(const Grid& grid, float number, Seen& seen) const {
  seen.least = seen.count == 0 ? number : std::min(seen.least, number);
  seen.most = seen.count == 0 ? number : std::max(seen.most, number);
  ++seen.count;
  // A step more: a number that stops at the end of its range is within it, rounded as it may be.
  const bool outside =
      number < (grid.lowest - 1.0) * grid.quantum || number > (grid.highest + 1.0) * grid.quantum;
  seen.outside += outside ? 1 : 0;
  if (seen.values.size() < kFew * kSameValue) seen.values.insert(number);
  Mean& mean = seen.places[grid.place(number)];
  mean.sum += number;
  ++mean.count;
}

std::vector<std::string> SeenNumbers::remarks() const {
  std::vector<std::string> all;
  for (std::size_t f = 0; f < seen_.size(); ++f) {
    const Seen& seen = seen_[f];
    if (seen.count == 0 || seen.least == seen.most) continue;
    const Feature& feature = (*features_)[f];
    const Grid& grid = *feature.grid;
    const std::string range =
        fmt::format("its range {:.10g} to {:.10g}", grid.lowest * grid.quantum, grid.highest * grid.quantum);
    const double outside = static_cast<double>(seen.outside) / static_cast<double>(seen.count);
    const std::size_t places = seen.places.size();
    if (outside == 1) {
      all.push_back(
          fmt::format("{} was never within {} (but {:.4g} to {:.4g}): rules cannot tell its values apart",
                      feature.name, range, seen.least, seen.most));
    } else if (outside > kOftenOutside) {
      all.push_back(fmt::format(
          "{} was outside {} in {:.0f} % of the decisions: there rules cannot tell its values apart",
          feature.name, range, 100 * outside));
    } else if (places == 1 || (places <= kFew && seen.values.size() >= kSameValue * places)) {
      all.push_back(fmt::format(
          "{} was {:.4g} to {:.4g}, of which rules see {}: its quantum {:.6g} is coarse", feature.name,
          seen.least, seen.most, places == 1 ? "one value" : fmt::format("{} values", places), grid.quantum));
    }
  }
  return all;
}

float SeenNumbers::typical(std::size_t feature, std::int32_t place) const {
  const auto found = seen_[feature].places.find(place);
  if (found == seen_[feature].places.end())
    return static_cast<float>(place * (*features_)[feature].grid->quantum);
  return static_cast<float>(found->second.sum / static_cast<double>(found->second.count));
}

GridReport examine_grids(const PlayedTask& stage, const Policy& teacher, std::uint64_t seed) {
  const auto& all = stage.features->all();
  if (std::all_of(all.begin(), all.end(), [](const Feature& feature) { return feature.is_atom(); }))
    return {};
  Player player(stage);
  SeenNumbers seen(stage.features);
  const std::vector<double> exact = played(player, teacher, seed, std::ref(seen));
  const std::vector<double> on_grid =
      played(player, ThroughGrid(teacher, seen, *stage.features), seed, nullptr);
  GridReport report{seen.remarks(), player.steps()};
  if (report.warnings.empty() && !is_notable(exact, on_grid)) return report;
  const auto mean = [](const std::vector<double>& returns) {
    double sum = 0;
    for (const double own : returns) sum += own;
    return sum / static_cast<double>(returns.size());
  };
  report.warnings.push_back(fmt::format(
      "with numbers as rules see them the teacher earns {:.4g}, with exact ones {:.4g}, on the same {} "
      "episodes",
      mean(on_grid), mean(exact), exact.size()));
  return report;
}

}  // namespace ndnf
