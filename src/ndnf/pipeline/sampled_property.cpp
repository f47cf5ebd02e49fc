#include "ndnf/pipeline/sampled_property.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "ndnf/base/random.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {
namespace {

constexpr double kConfidence = 0.99;
constexpr std::size_t kGroup = 256;

/// A position of an episode.
struct Position {
  const ObservationTable& table;
  ObsId obs;
  std::optional<ActionId> action;  ///< The next one; nothing once the episode is over.
  bool ended = false;              ///< It ended by itself: the label `end`.
};

bool holds_in(const StateFormula& formula, const Position& at) {
  using Kind = StateFormula::Kind;
  const auto part = [&](std::size_t i) { return holds_in(formula.parts[i], at); };
  switch (formula.kind) {
    case Kind::kLabel:
      return at.ended;
    case Kind::kAction:
      return at.action == formula.index;
    case Kind::kNot:
      return !part(0);
    case Kind::kAnd:
      return part(0) && part(1);
    case Kind::kOr:
      return part(0) || part(1);
    case Kind::kImplies:
      return !part(0) || part(1);
    default:
      return holds(formula, at.table, at.obs);
  }
}

/// Follows one episode until it is known whether its path satisfies a formula.
class PathWatch {
 public:
  explicit PathWatch(const PathFormula& path) : path_(path) {}

  /// The next position; `last` if the episode stays there.
  void see(const Position& at, bool last) {
    const std::size_t time = time_++;
    if (satisfied_) return;
    if (path_.kind == PathFormula::Kind::kNext) {
      if (time == 1 || last) satisfied_ = holds_in(path_.right, at);
      return;
    }
    const bool globally = path_.kind == PathFormula::Kind::kGlobally;
    const bool until = path_.kind == PathFormula::Kind::kUntil;
    const bool reached = holds_in(path_.right, at) != globally;  // G a: never (not a)
    const bool over = last || (path_.steps && time >= *path_.steps);
    if (reached) {
      satisfied_ = !globally;
    } else if (over || (until && !holds_in(path_.left, at))) {
      satisfied_ = globally;
    }
  }

  bool satisfied() const { return satisfied_.value_or(false); }

 private:
  const PathFormula& path_;
  std::size_t time_ = 0;
  std::optional<bool> satisfied_;
};

/// What is counted of one property.
struct Tally {
  std::size_t episodes = 0;
  double sum = 0;
  double squares = 0;

  void add(double value) {
    ++episodes;
    sum += value;
    squares += value * value;
  }
  double mean() const { return sum / static_cast<double>(episodes); }
};

/// Plays a group of episodes, one per walker, and adds what is measured of them.
class SampledGroup {
 public:
  SampledGroup(const Task& task, const Policy& policy, const Selection& selection,
               const std::vector<Property>& properties, std::size_t walkers, std::size_t number,
               std::uint64_t seed)
      : env_(task.environments(walkers, number)),
        policy_(policy),
        selection_(selection),
        properties_(properties),
        discount_(task.discount),
        random_(RandomStream(seed, (std::uint64_t{1} << 62) + number)),
        walkers_(walkers) {
    const auto first = env_->reset(seed);
    seen_.assign(first.begin(), first.end());
    for (Walker& walker : walkers_) {
      for (const Property& property : properties) walker.watches.emplace_back(property.path);
      walker.values.assign(properties.size(), 0.0);
    }
  }

  /// The sentence of an undefined observation, if one is met.
  std::optional<std::string> play(std::vector<Tally>& tallies) {
    for (std::size_t playing = walkers_.size(); playing > 0;) {
      if (auto undefined = decide()) return undefined;
      playing -= advance(tallies);
    }
    return std::nullopt;
  }

 private:
  struct Walker {
    bool over = false;
    std::size_t time = 0;
    double weight = 1;
    std::vector<PathWatch> watches{};
    std::vector<double> values{};  ///< Return or length so far.
  };

  std::optional<std::string> decide() {
    std::vector<double> raw(seen_.size() * policy_.action_count());
    policy_.probabilities(env_->observations(), seen_, raw);
    const PolicyTable rows = select(
        PolicyTable(policy_.action_count(), std::move(raw), policy_.exactly_one(env_->observations(), seen_)),
        selection_);
    actions_.assign(walkers_.size(), 0);
    for (ObsId n = 0; n < walkers_.size(); ++n) {
      const double drawn = random_.uniform();
      if (walkers_[n].over) continue;
      if (!rows.defined(n))
        return fmt::format("in {} the policy {}", env_->observations().describe(seen_[n]), rows.defect(n));
      double sum = 0;
      for (ActionId a = 0; a < rows.action_count(); ++a) {
        if (rows.row(n)[a] > 0 && (sum <= drawn || sum == 0)) actions_[n] = a;
        sum += rows.row(n)[a];
      }
      for (PathWatch& watch : walkers_[n].watches)
        watch.see({env_->observations(), seen_[n], actions_[n]}, false);
    }
    return std::nullopt;
  }

  /// The number of episodes that are over now.
  std::size_t advance(std::vector<Tally>& tallies) {
    const VectorStep step = env_->step(actions_);
    std::size_t finished = 0;
    for (std::size_t n = 0; n < walkers_.size(); ++n) {
      seen_[n] = step.observations[n];
      Walker& walker = walkers_[n];
      if (walker.over) continue;
      measure(walker, step.rewards[n]);
      if ((step.terminated[n] | step.truncated[n]) == 0) continue;
      walker.over = true;
      ++finished;
      const Position last{env_->observations(), step.arrived[n], std::nullopt, step.terminated[n] != 0};
      for (std::size_t i = 0; i < properties_.size(); ++i) {
        walker.watches[i].see(last, true);
        const bool path = properties_[i].measure == Property::Measure::kProbability;
        tallies[i].add(path ? (walker.watches[i].satisfied() ? 1 : 0) : walker.values[i]);
      }
    }
    return finished;
  }

  void measure(Walker& walker, double reward) const {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if (walker.time >= properties_[i].path.steps.value_or(std::numeric_limits<std::size_t>::max()))
        continue;
      walker.values[i] += properties_[i].measure == Property::Measure::kReturn ? walker.weight * reward : 1;
    }
    ++walker.time;
    walker.weight *= discount_;
  }

  std::unique_ptr<VectorEnv> env_;
  const Policy& policy_;
  const Selection& selection_;
  const std::vector<Property>& properties_;
  double discount_;
  RandomSequence random_;
  std::vector<Walker> walkers_;
  std::vector<ObsId> seen_;
  std::vector<ActionId> actions_;
};

struct Judged {
  double mean;
  Interval interval;
  std::string method;
};

Judged estimate(const Property& property, const Tally& tally, const Task& task) {
  const auto n = static_cast<double>(tally.episodes);
  const double mean = tally.mean();
  if (property.measure == Property::Measure::kProbability) {
    return {mean, chernoff_interval(static_cast<std::size_t>(tally.sum), tally.episodes, kConfidence),
            "Chernoff"};
  }
  if (property.measure == Property::Measure::kLength && task.step_limit) {
    const auto most =
        static_cast<double>(std::min(*task.step_limit, property.path.steps.value_or(*task.step_limit)));
    const double margin = most * std::sqrt(std::log(2 / (1 - kConfidence)) / (2 * n));
    return {mean, {std::max(0.0, mean - margin), std::min(most, mean + margin)}, "Hoeffding"};
  }
  constexpr double kFewest = 30;  // returns have no known range, and fewer say little about their spread
  if (n < kFewest) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    return {mean, {-kAny, kAny}, "too few episodes for the normal approximation"};
  }
  constexpr double kNormal99 = 2.5758293035489;
  const double variance = std::max(0.0, (tally.squares - n * mean * mean) / std::max(1.0, n - 1));
  const double margin = kNormal99 * std::sqrt(variance / n);
  return {mean, {mean - margin, mean + margin}, "normal approximation"};
}

Verdict verdict(const Property& property, const Interval& interval) {
  using Comparison = Property::Comparison;
  const auto decided = [](bool holds, bool fails) {
    return holds ? Verdict::kHolds : fails ? Verdict::kFails : Verdict::kUndecided;
  };
  switch (property.comparison) {
    case Comparison::kAtLeast:
      return decided(interval.low >= property.bound, interval.high < property.bound);
    case Comparison::kAbove:
      return decided(interval.low > property.bound, interval.high <= property.bound);
    case Comparison::kAtMost:
      return decided(interval.high <= property.bound, interval.low > property.bound);
    case Comparison::kBelow:
      return decided(interval.high < property.bound, interval.low >= property.bound);
    default:
      return Verdict::kHolds;
  }
}

}  // namespace

Interval chernoff_interval(std::size_t count, std::size_t total, double confidence) {
  const auto n = static_cast<double>(total);
  const double mean = static_cast<double>(count) / n;
  const double most = std::log(2 / (1 - confidence)) / n;
  const auto divergence = [&](double p) {
    const double yes = mean > 0 ? mean * std::log(mean / p) : 0;
    const double no = mean < 1 ? (1 - mean) * std::log((1 - mean) / (1 - p)) : 0;
    return yes + no;
  };
  const auto edge = [&](double inside, double outside) {  // divergence grows from the mean outwards
    for (int i = 0; i < 100; ++i) {
      const double middle = (inside + outside) / 2;
      (divergence(middle) <= most ? inside : outside) = middle;
    }
    return outside;
  };
  return {count == 0 ? 0 : edge(mean, 0), count == total ? 1 : edge(mean, 1)};
}

std::vector<CheckResult> check_by_sampling(const Task& task, const Policy& policy, const Selection& selection,
                                           const std::vector<Property>& properties,
                                           const PropertySampling& sampling) {
  std::vector<CheckResult> results;
  if (properties.empty()) return results;
  std::vector<Tally> tallies(properties.size());
  std::optional<std::string> undefined;
  for (std::size_t first = 0; first < sampling.episodes && !undefined; first += kGroup) {
    const std::size_t walkers = std::min(kGroup, sampling.episodes - first);
    SampledGroup group(task, policy, selection, properties, walkers, first / kGroup, sampling.seed);
    undefined = group.play(tallies);
  }
  for (std::size_t i = 0; i < properties.size(); ++i) {
    CheckResult check{properties[i].text, CheckScope::kVisited, Verdict::kFails};
    check.property = true;
    if (undefined) {
      check.witness = *undefined;
    } else {
      const Judged found = estimate(properties[i], tallies[i], task);
      check.verdict = verdict(properties[i], found.interval);
      check.value = found.mean;
      check.value_text =
          fmt::format("{:.6g}, sampled in {} episode{}; {:.0f} % confidence: {:.6g} to {:.6g} ({})",
                      found.mean, tallies[i].episodes, tallies[i].episodes == 1 ? "" : "s", 100 * kConfidence,
                      found.interval.low, found.interval.high, found.method);
      check.sampled = {{tallies[i].episodes, kConfidence, found.interval.low, found.interval.high}};
      if (!check.holds())
        check.witness = "the interval " +
                        std::string(check.verdict == Verdict::kFails ? "is beyond" : "contains") +
                        " the bound";
    }
    results.push_back(std::move(check));
  }
  return results;
}

}  // namespace ndnf
