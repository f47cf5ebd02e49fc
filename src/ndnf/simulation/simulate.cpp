#include "ndnf/simulation/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ndnf/base/parallel.h"
#include "ndnf/base/random.h"

namespace ndnf {
namespace {

/// Episodes are played in groups, one walker each, with their own random streams: results do not depend on
/// the threads, and no walker plays more short episodes than long ones.
constexpr std::size_t kGroup = 256;
/// Groups whose sums are kept at a time.
constexpr std::size_t kRound = 1024;
/// Separates the random numbers of actions from those of environments.
constexpr std::uint64_t kActions = std::uint64_t{1} << 62;

/// One episode of each of up to kGroup walkers.
class Group {
 public:
  Group(const EnvFactory& environments, const Policy& policy, const Selection& selection, std::uint64_t seed,
        std::size_t number, std::size_t walkers, double discount)
      : env_(environments(walkers, number)),
        policy_(policy),
        selection_(selection),
        random_(seed, kActions + number),
        discount_(discount),
        playing_(walkers, true),
        returns_(walkers, 0.0),
        actions_(walkers, 0),
        words_(walkers) {
    const auto first = env_->reset(seed);
    seen_.assign(first.begin(), first.end());
  }

  bool over() const { return finished_ == playing_.size(); }
  const EpisodeTally& tally() const { return tally_; }
  const std::optional<Evaluation::Undefined>& undefined() const { return undefined_; }

  /// Takes one step in every episode that is not over. Calls decide(table, obs) for each decision.
  template <class Decide>
  void step(Decide decide) {
    const PolicyTable rows = select(rows_of_policy(), selection_);
    random_.fill(position_, words_);
    position_ += words_.size();
    for (std::size_t n = 0; n < playing_.size() && !undefined_; ++n) {
      if (!playing_[n]) continue;
      const auto row = static_cast<ObsId>(n);
      if (!rows.defined(row)) {
        undefined_ = {0, seen_[n], env_->observations().describe(seen_[n]), rows.defect(row)};
      } else {
        decide(env_->observations(), seen_[n]);
        actions_[n] = pick(rows.row(row), words_[n]);
      }
    }
    if (!undefined_) count(env_->step(actions_));
  }

 private:
  PolicyTable rows_of_policy() const {
    std::vector<double> rows(seen_.size() * policy_.action_count());
    policy_.probabilities(env_->observations(), seen_, rows);
    return PolicyTable(policy_.action_count(), std::move(rows),
                       policy_.exactly_one(env_->observations(), seen_));
  }

  static ActionId pick(std::span<const double> row, std::uint32_t word) {
    const double threshold = word * 0x1.0p-32;
    ActionId action = 0;
    for (double sum = row[0]; sum <= threshold && action + 1 < row.size(); sum += row[++action]) {
    }
    while (row[action] == 0) --action;  // a sum rounded to less than 1 can overshoot the last possible action
    return action;
  }

  void count(const VectorStep& step) {
    for (std::size_t n = 0; n < playing_.size(); ++n) {
      seen_[n] = step.observations[n];
      if (!playing_[n]) continue;
      returns_[n] += weight_ * step.rewards[n];
      ++tally_.steps;
      if ((step.terminated[n] | step.truncated[n]) == 0) continue;
      playing_[n] = false;
      ++finished_;
      ++tally_.episodes;
      tally_.terminated += step.terminated[n];
      tally_.returns += returns_[n];
      tally_.squares += returns_[n] * returns_[n];
    }
    weight_ *= discount_;
  }

  std::unique_ptr<VectorEnv> env_;
  const Policy& policy_;
  const Selection selection_;
  const RandomStream random_;
  const double discount_;
  double weight_ = 1;  ///< Of the next step's rewards.
  std::uint64_t position_ = 0;
  std::vector<bool> playing_;
  std::size_t finished_ = 0;
  std::vector<double> returns_;
  std::vector<ActionId> actions_;
  std::vector<std::uint32_t> words_;
  std::vector<ObsId> seen_;
  EpisodeTally tally_;
  std::optional<Evaluation::Undefined> undefined_;
};

}  // namespace

// Rounds of groups bound the memory. Within a round groups may run in any order; their sums are added up in
// one.
Evaluation evaluate_by_simulation(const EnvFactory& environments, const Policy& policy,
                                  const Selection& selection, const SamplingOptions& options) {
  const std::size_t groups = (options.episodes + kGroup - 1) / kGroup;
  Evaluation result;
  result.exact = false;
  result.episodes = options.episodes;
  EpisodeTally total;
  for (std::size_t first = 0; first < groups; first += kRound) {
    const std::size_t count = std::min(kRound, groups - first);
    std::vector<EpisodeTally> tallies(count);
    std::vector<std::optional<Evaluation::Undefined>> undefined(count);
    parallel_for(count, options.jobs, [&](std::size_t i) {
      const std::size_t episodes = std::min(kGroup, options.episodes - (first + i) * kGroup);
      Group group(environments, policy, selection, options.seed, first + i, episodes, options.discount);
      while (!group.over() && !group.undefined()) group.step([](const ObservationTable&, ObsId) {});
      tallies[i] = group.tally();
      undefined[i] = group.undefined();
      if (options.on_episodes) options.on_episodes(episodes);
    });
    for (const auto& found : undefined) {
      if (found && !result.undefined) result.undefined = found;
    }
    if (result.undefined) return result;
    for (const EpisodeTally& tally : tallies) total.add(tally);
  }
  set_means(result, total);
  return result;
}

namespace {

constexpr ObsId kUnknown = std::numeric_limits<ObsId>::max();

/// The row of an observation in the sample; it is added if it is new and there is room.
ObsId known(ObservationTable& kept, const ObservationTable& table, ObsId obs, std::size_t most) {
  if (kept.size() < most) return kept.intern(table.values(obs), table.dense(obs));
  return kept.find(table.values(obs), table.dense(obs)).value_or(kUnknown);
}

}  // namespace

ObservationSample sample_observations(const EnvFactory& environments, const Policy& policy,
                                      const Selection& selection, std::size_t most,
                                      const SamplingOptions& options) {
  std::shared_ptr<ObservationTable> kept;
  ObservationSample sample;
  std::vector<double> decisions;
  for (std::size_t g = 0; sample.episodes < options.episodes && (!kept || kept->size() < most); ++g) {
    const std::size_t episodes = std::min(kGroup, options.episodes - sample.episodes);
    Group group(environments, policy, selection, options.seed, g, episodes, 1);
    while (!group.over() && !group.undefined()) {
      group.step([&](const ObservationTable& table, ObsId obs) {
        if (!kept) kept = std::make_shared<ObservationTable>(table.shared_vocabulary(), table.dense_size());
        const ObsId id = known(*kept, table, obs, most);
        if (id == kUnknown) return;
        if (id >= decisions.size()) decisions.resize(id + 1, 0.0);
        decisions[id] += 1;
      });
    }
    sample.episodes += episodes;
    if (options.on_episodes) options.on_episodes(episodes);
    if (group.undefined()) break;
  }
  for (double& count : decisions) count /= static_cast<double>(sample.episodes);
  sample.table = kept;
  sample.visits = std::move(decisions);
  return sample;
}

FiniteModel decision_model(const ObservationSample& sample) {
  FiniteModelData data;
  data.observations = sample.table;
  double all = 0;
  for (const double visits : sample.visits) all += visits;
  const auto end = static_cast<StateId>(sample.table->size());
  for (ObsId obs = 0; obs < end; ++obs) {
    data.observation.push_back(obs);
    data.starts.push_back({sample.visits[obs] / all, obs});
    for (ActionId a = 0; a < sample.table->vocabulary().action_count(); ++a)
      data.add_row(std::vector<Outcome>{{1, 0, end, true, -1}});
  }
  data.observation.push_back(0);
  for (ActionId a = 0; a < sample.table->vocabulary().action_count(); ++a) data.add_row({});
  return FiniteModel(std::move(data));
}

}  // namespace ndnf
