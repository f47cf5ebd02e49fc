#include "ndnf/rules/player.h"

#include <algorithm>

#include "ndnf/simulation/table_env.h"

namespace ndnf {
namespace {

/// Streams of the run's seed: one for the seeds of each series, one for the actions of each series.
constexpr std::uint64_t kSeedStreams = std::uint64_t{1} << 40;
constexpr std::uint64_t kWanderStreams = std::uint64_t{1} << 41;
/// The group of environments that plays for rules; training uses group 0.
constexpr std::uint64_t kGroup = 1;

std::uint64_t seed_of(EpisodeSeries series, std::uint64_t block) {
  const auto words = RandomStream(series.seed, kSeedStreams + series.number).block(block);
  return words[0];  // 32 bits: other people's environments take no more
}

}  // namespace

Player::Player(const PlayedTask& stage)
    : env_(stage.environments(stage.lanes, kGroup)),
      features_(stage.features),
      discount_(stage.discount),
      lanes_(stage.lanes),
      longest_(stage.step_limit.value_or(kRolloutSteps)),
      actions_(lanes_, 0),
      playing_(lanes_, 1),
      undiscounted_(lanes_, 0.0),
      row_(features_->size(), 0) {}

template <class Decide>
void Player::play(EpisodeSeries series, std::uint64_t first, Decide decide, std::span<double> returns) {
  const auto begin = env_->reset(seed_of(series, first / lanes_));
  seen_.assign(begin.begin(), begin.end());
  std::fill(playing_.begin(), playing_.end(), std::uint8_t{1});
  std::fill(returns.begin(), returns.end(), 0.0);
  std::fill(undiscounted_.begin(), undiscounted_.end(), 0.0);
  double weight = 1;
  std::size_t left = lanes_;
  for (std::size_t t = 0; left > 0 && t < longest_; ++t) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      if (playing_[lane] != 0) actions_[lane] = decide(lane, seen_[lane]);
    }
    const VectorStep step = env_->step(actions_);
    steps_ += lanes_;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      seen_[lane] = step.observations[lane];
      if (playing_[lane] == 0) continue;
      returns[lane] += weight * step.rewards[lane];
      undiscounted_[lane] += step.rewards[lane];
      if ((step.terminated[lane] | step.truncated[lane]) == 0) continue;
      playing_[lane] = 0;
      --left;
      if (step.terminated[lane] == 0 && env_->cuts_episodes()) ++cut_episodes_;
    }
    weight *= discount_;
  }
  cut_episodes_ += left;
}

std::vector<double> Player::returns(const RuleList& list, EpisodeSeries series, std::uint64_t first,
                                    std::size_t count) {
  const std::vector<std::uint32_t> needed = features_of(list);
  std::vector<double> returns(count);
  for (std::size_t done = 0; done < count; done += lanes_) {
    play(
        series, first + done,
        [&](std::size_t, ObsId obs) {
          for (const std::uint32_t f : needed) row_[f] = features_->value(f, env_->observations(), obs);
          return list.decide(row_);
        },
        std::span(returns).subspan(done, lanes_));
  }
  return returns;
}

std::vector<double> Player::watch(const RuleList& list, EpisodeSeries series, std::uint64_t first,
                                  const Visit& visit) {
  std::vector<double> returns(lanes_);
  play(
      series, first,
      [&](std::size_t, ObsId obs) {
        visit(env_->observations(), obs);
        features_->write(env_->observations(), obs, row_);
        return list.decide(row_);
      },
      returns);
  return returns;
}

std::vector<double> Player::watch(const Policy& policy, double wandering, EpisodeSeries series,
                                  std::uint64_t first, const Visit& visit) {
  std::vector<double> returns(lanes_);
  std::vector<double> row(policy.action_count());
  RandomSequence random(RandomStream(series.seed, kWanderStreams + series.number), first << 20);
  play(
      series, first,
      [&](std::size_t, ObsId obs) -> ActionId {
        if (visit) visit(env_->observations(), obs);
        if (wandering > 0 && random.uniform() < wandering)
          return random.below(static_cast<std::uint32_t>(row.size()));
        policy.probabilities(env_->observations(), std::span(&obs, 1), row);
        return static_cast<ActionId>(std::max_element(row.begin(), row.end()) - row.begin());
      },
      returns);
  return returns;
}

}  // namespace ndnf
