#include "ndnf/simulation/episode_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/induced_chain.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

/// Number of episodes interleaved: while one waits for memory, the others proceed.
constexpr std::size_t kLanes = 64;
constexpr std::size_t kWords = 16 * kLanes;
constexpr std::size_t kMostSteps = std::numeric_limits<std::uint32_t>::max();

/// The steps after which a reward counts less than 2^−64 of one at once, if that is not beyond the longest
/// episode.
std::uint32_t steps_that_count(double discount) {
  if (discount == 1) return kLongestEpisode;
  const double steps = std::ceil(-64 / std::log2(discount));
  return steps < kLongestEpisode ? static_cast<std::uint32_t>(std::max(steps, 1.0)) : kLongestEpisode;
}

std::uint32_t limit_of(const FiniteModel& model) {
  if (model.endless()) return steps_that_count(model.discount());
  return static_cast<std::uint32_t>(std::min(model.step_limit().value_or(kMostSteps), kMostSteps));
}

}  // namespace

void EpisodeTally::add(const EpisodeTally& other) {
  episodes += other.episodes;
  steps += other.steps;
  terminated += other.terminated;
  tags.resize(std::max(tags.size(), other.tags.size()));
  for (std::size_t t = 0; t < other.tags.size(); ++t) tags[t] += other.tags[t];
  returns += other.returns;
  squares += other.squares;
}

EpisodeSampler::EpisodeSampler(const FiniteModel& model, const PolicyTable& policy)
    : step_limit_(limit_of(model)),
      discount_(model.discount()),
      endless_(model.endless()),
      tag_count_(model.tags().size()) {
  const InducedChain chain(model, policy);
  if (endless_) lost_ = lost_states(chain);
  if (std::find(lost_.begin(), lost_.end(), true) == lost_.end()) lost_.clear();
  std::vector<double> probabilities;
  for (StateId s = 0; s < model.state_count(); ++s) {
    probabilities.clear();
    chain.for_each_step(s, [&](double taken, const Outcome& outcome) {
      probabilities.push_back(taken * outcome.probability);
      steps_.push_back({outcome.reward, outcome.next, outcome.terminal, outcome.tag});
    });
    rows_.add_row(probabilities);
  }
  probabilities.clear();
  for (const Start& start : model.starts()) {
    probabilities.push_back(start.probability);
    starts_.push_back(start.state);
  }
  start_row_.add_row(probabilities);
}

/// Plays the episodes of all lanes in an interleaved loop. Each lane plays a fixed number of episodes and
/// then stops: taking "the first N episodes to finish" would be biased towards short ones.
class EpisodeSampler::Player {
 public:
  Player(const EpisodeSampler& sampler, const RandomStream& random) : sampler_(sampler), random_(random) {
    tally_.tags.assign(sampler.tag_count_, 0);
  }

  EpisodeTally play(std::size_t episodes) {
    while (lanes_ < std::min(kLanes, episodes)) {
      refill();
      left_[lanes_] = episodes / kLanes + (lanes_ < episodes % kLanes ? 1 : 0);
      begin_episode(lanes_++);
    }
    while (lanes_ > 0) {
      refill();
      sampler_.discount_ < 1 ? advance<true>() : advance<false>();
    }
    return tally_;
  }

 private:
  /// Advances every lane by one step, last to first: a lane that stops is replaced by the last one.
  template <bool kDiscounted>
  void advance() {
    // Pointers in local variables, which the compiler can keep in registers.
    const AliasTable::View rows = sampler_.rows_.view();
    const Step* steps = sampler_.steps_.data();
    const std::uint32_t limit = sampler_.step_limit_;
    tally_.steps += lanes_;
    for (std::size_t lane = lanes_; lane-- > 0;) {
      const Step step = steps[rows.pick(state_[lane], words_[used_++])];
      return_[lane] += kDiscounted ? weight_[lane] * step.reward : step.reward;
      if (kDiscounted) weight_[lane] *= sampler_.discount_;
      state_[lane] = step.next;
      if (step.terminal || (++length_[lane] >= limit && is_over(lane))) end_episode(lane, step);
    }
  }

  /// Whether an episode that has reached the limit is over.
  bool is_over(std::size_t lane) const {
    if (!sampler_.endless_) return true;
    if (length_[lane] >= kLongestEpisode) {
      throw Error("", fmt::format("an episode did not end within {} steps", kLongestEpisode),
                  "evaluate the policy exactly");
    }
    return sampler_.may_never_end() && sampler_.lost_[state_[lane]];
  }

  void end_episode(std::size_t lane, const Step& last) {
    ++tally_.episodes;
    tally_.terminated += last.terminal ? 1 : 0;
    if (last.tag >= 0) ++tally_.tags[static_cast<std::size_t>(last.tag)];
    tally_.returns += return_[lane];
    tally_.squares += return_[lane] * return_[lane];
    if (--left_[lane] > 0) {
      begin_episode(lane);
      return;
    }
    --lanes_;
    state_[lane] = state_[lanes_];
    return_[lane] = return_[lanes_];
    weight_[lane] = weight_[lanes_];
    length_[lane] = length_[lanes_];
    left_[lane] = left_[lanes_];
  }

  void begin_episode(std::size_t lane) {
    state_[lane] = sampler_.starts_[sampler_.start_row_.view().pick(0, words_[used_++])];
    return_[lane] = 0;
    weight_[lane] = 1;
    length_[lane] = 0;
  }

  /// Ensures that the buffer holds enough words for one step of all lanes, two per lane.
  void refill() {
    if (used_ + 2 * kLanes <= kWords) return;
    random_.fill(position_, words_);
    position_ += kWords / std::tuple_size_v<RandomStream::Block>;
    used_ = 0;
  }

  const EpisodeSampler& sampler_;
  const RandomStream& random_;
  std::uint64_t position_ = 0;
  std::size_t used_ = kWords;
  EpisodeTally tally_;
  std::size_t lanes_ = 0;
  std::array<std::uint32_t, kWords> words_{};
  std::array<StateId, kLanes> state_{};
  std::array<double, kLanes> return_{};
  std::array<double, kLanes> weight_{};  ///< Of the next reward.
  std::array<std::uint32_t, kLanes> length_{};
  std::array<std::size_t, kLanes> left_{};
};

EpisodeTally EpisodeSampler::play(const RandomStream& random, std::size_t episodes) const {
  return Player(*this, random).play(episodes);
}

}  // namespace ndnf
