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

std::size_t group_size(const EnvFactory& environments) { return environments.only.value_or(kGroup); }

/// One episode of each of up to group_size walkers.
class Group {
 public:
  Group(const EnvFactory& environments, const Policy& policy, const Selection& selection, std::uint64_t seed,
        std::size_t number, std::size_t episodes, double discount)
      : Group(environments(environments.only.value_or(episodes), number), policy, selection, seed, number,
              episodes, discount) {}

  bool over() const { return finished_ == playing_.size(); }
  const EpisodeTally& tally() const { return tally_; }
  const std::optional<Evaluation::Undefined>& undefined() const { return undefined_; }
  const ObservationTable& observations() const { return env_->observations(); }

  /// Takes one step in every episode that is not over. Calls decide(env, obs) for each decision.
  template <class Decide>
  void step(Decide decide) {
    const PolicyTable rows = offered_rows(*env_, policy_, selection_, seen_);
    random_.fill(position_, words_);
    position_ += words_.size();
    for (std::size_t n = 0; n < playing_.size() && !undefined_; ++n) {
      if (!playing_[n]) {  // its environment goes on, with any action that is offered
        actions_[n] = env_->offered() == nullptr ? 0 : env_->offered()->nth_allowed(seen_[n], 0);
        continue;
      }
      const auto row = static_cast<ObsId>(n);
      if (!rows.defined(row)) {
        undefined_ = {0, seen_[n], env_->observations().describe(seen_[n]), rows.defect(row)};
      } else {
        decide(*env_, seen_[n]);
        actions_[n] = pick(rows.row(row), words_[n]);
      }
    }
    if (!undefined_) count(env_->step(actions_));
  }

 private:
  Group(std::unique_ptr<VectorEnv> env, const Policy& policy, const Selection& selection, std::uint64_t seed,
        std::size_t number, std::size_t episodes, double discount)
      : env_(std::move(env)),
        policy_(policy),
        selection_(selection),
        random_(seed, kActions + number),
        discount_(discount),
        playing_(env_->size(), true),
        finished_(env_->size() - episodes),
        returns_(env_->size(), 0.0),
        actions_(env_->size(), 0),
        words_(env_->size()) {
    std::fill(playing_.begin() + static_cast<std::ptrdiff_t>(episodes), playing_.end(), false);
    const auto first = env_->reset(seed);
    seen_.assign(first.begin(), first.end());
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
  std::size_t finished_;  ///< How many walkers do not play, or no longer.
  std::vector<double> returns_;
  std::vector<ActionId> actions_;
  std::vector<std::uint32_t> words_;
  std::vector<ObsId> seen_;
  EpisodeTally tally_;
  std::optional<Evaluation::Undefined> undefined_;
};

}  // namespace

PolicyTable offered_rows(const VectorEnv& env, const Policy& policy, const Selection& selection,
                         std::span<const ObsId> seen) {
  std::vector<double> rows(seen.size() * policy.action_count());
  policy.probabilities(env.observations(), seen, rows);
  const PolicyTable table(policy.action_count(), std::move(rows),
                          policy.exactly_one(env.observations(), seen));
  if (env.offered() == nullptr) return select(table, selection);
  const ActionMask mask = env.offered()->of(seen);
  return select(mask.apply(table), selection, &mask);
}

// Rounds of groups bound the memory. Within a round groups may run in any order; their sums are added up in
// one.
Evaluation evaluate_by_simulation(const EnvFactory& environments, const Policy& policy,
                                  const Selection& selection, const SamplingOptions& options) {
  const std::size_t size = group_size(environments);
  const std::size_t groups = (options.episodes + size - 1) / size;
  Evaluation result;
  result.exact = false;
  result.episodes = options.episodes;
  EpisodeTally total;
  for (std::size_t first = 0; first < groups; first += kRound) {
    const std::size_t count = std::min(kRound, groups - first);
    std::vector<EpisodeTally> tallies(count);
    std::vector<std::optional<Evaluation::Undefined>> undefined(count);
    parallel_for(count, environments.only ? 1 : options.jobs, [&](std::size_t i) {
      const std::size_t episodes = std::min(size, options.episodes - (first + i) * size);
      Group group(environments, policy, selection, options.seed, first + i, episodes, options.discount);
      while (!group.over() && !group.undefined()) group.step([](const VectorEnv&, ObsId) {});
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

/// The least number of episodes without a new observation after which no more are looked for.
constexpr std::size_t kSettled = 4 * kGroup;
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
  std::vector<std::uint64_t> offered;
  const std::uint64_t all = ~std::uint64_t{0} >> (kMaxActions - policy.action_count());
  std::size_t last_new = 0;  // the episodes until the last new observation
  const auto settled = [&] { return sample.episodes - last_new >= std::max(kSettled, sample.episodes / 2); };
  for (std::size_t g = 0; sample.episodes < options.episodes && !settled(); ++g) {
    const std::size_t episodes = std::min(group_size(environments), options.episodes - sample.episodes);
    const std::size_t before = decisions.size();
    Group group(environments, policy, selection, options.seed, g, episodes, 1);
    const ObservationTable& table = group.observations();
    if (!kept) kept = std::make_shared<ObservationTable>(table.shared_vocabulary(), table.dense_size());
    while (!group.over() && !group.undefined()) {
      group.step([&](const VectorEnv& env, ObsId obs) {
        const ObsId id = known(*kept, table, obs, most);
        if (id == kUnknown) return;
        if (id >= decisions.size()) decisions.resize(id + 1, 0.0);
        decisions[id] += 1;
        if (id >= offered.size()) offered.resize(id + 1, 0);
        offered[id] |= env.offered() == nullptr ? all : env.offered()->bits(obs);
      });
    }
    sample.episodes += episodes;
    if (decisions.size() > before) last_new = sample.episodes;
    if (decisions.size() == most) break;
    if (options.on_episodes) options.on_episodes(episodes);
    sample.undefined = group.undefined();
    if (sample.undefined) break;
  }
  for (double& count : decisions) count /= static_cast<double>(sample.episodes);
  sample.table = kept;
  sample.visits = std::move(decisions);
  if (std::any_of(offered.begin(), offered.end(), [&](std::uint64_t bits) { return bits != all; }))
    sample.offered.emplace(policy.action_count(), std::move(offered));
  return sample;
}

PolicyTable ObservationSample::rows_of(const Policy& policy) const {
  const PolicyTable rows = tabulate(policy, *table);
  return offered ? offered->apply(rows) : rows;
}

FiniteModel decision_model(const ObservationSample& sample) {
  FiniteModelData data;
  data.observations = sample.table;
  double all = 0;
  for (const double visits : sample.visits) all += visits;
  const auto end = static_cast<StateId>(sample.table->size());
  std::vector<std::vector<Outcome>> rows(sample.table->vocabulary().action_count());
  for (ObsId obs = 0; obs < end; ++obs) {
    for (ActionId a = 0; a < rows.size(); ++a) {
      rows[a].clear();
      if (!sample.offered || sample.offered->allows(obs, a)) rows[a].push_back({1, 0, end, true, -1});
    }
    data.add_state(obs, rows);
    data.starts.push_back({sample.visits[obs] / all, obs});
  }
  data.add_state(0, std::vector<std::vector<Outcome>>(rows.size()));
  return FiniteModel(std::move(data));
}

}  // namespace ndnf
