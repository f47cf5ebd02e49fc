#include "ndnf/mdp/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ndnf/base/parallel.h"
#include "ndnf/mdp/alias_table.h"
#include "ndnf/mdp/chain.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/table_env.h"

namespace ndnf {
namespace {

/// The probability of being in each state at one step of a still running episode: sparse, since policies visit few
/// states at a time.
class Occupancy {
 public:
  explicit Occupancy(std::size_t states) : mass_(states, 0.0) {}

  void add(StateId state, double probability) {
    if (mass_[state] == 0) states_.push_back(state);
    mass_[state] += probability;
  }
  /// Calls visit(state, probability) for every occupied state and empties the distribution.
  template <class Visit>
  void drain(Visit visit) {
    for (const StateId state : states_) {
      const double probability = mass_[state];
      mass_[state] = 0;
      visit(state, probability);
    }
    states_.clear();
  }
  bool empty() const { return states_.empty(); }
  const std::vector<StateId>& states() const { return states_; }

 private:
  std::vector<double> mass_;
  std::vector<StateId> states_;
};

std::optional<Evaluation::Undefined> find_undefined(const FiniteModel& model, const PolicyTable& policy,
                                                    const std::vector<StateId>& states) {
  for (const StateId s : states) {
    if (!policy.defined(model.observation(s))) return Evaluation::Undefined{s, model.observation(s)};
  }
  return std::nullopt;
}

}  // namespace

Evaluation evaluate_exactly(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  Evaluation result;
  result.tag_rates.assign(model.tags().size(), 0.0);
  Occupancy now(model.state_count());
  Occupancy next(model.state_count());
  for (const Start& start : model.starts()) now.add(start.state, start.probability);
  for (std::size_t step = 0; step < model.horizon() && !now.empty(); ++step) {
    result.undefined = find_undefined(model, policy, now.states());
    if (result.undefined) return result;
    now.drain([&](StateId state, double probability) {
      result.length += probability;
      result.mean_return += probability * chain.reward(state);
      for (const auto& move : chain.moves(state)) next.add(move.next, probability * move.probability);
      for (const auto& ending : chain.endings(state)) {
        result.terminated += probability * ending.probability;
        if (ending.tag >= 0) result.tag_rates[static_cast<std::size_t>(ending.tag)] += probability * ending.probability;
      }
    });
    std::swap(now, next);
  }
  return result;
}

namespace {

/// Sums over finished episodes; joined in a fixed order so that threads do not matter.
struct Tally {
  double episodes = 0;
  double returns = 0;
  double squares = 0;
  double steps = 0;
  double terminated = 0;
  std::vector<double> tags;

  void add(const Tally& other) {
    episodes += other.episodes;
    returns += other.returns;
    squares += other.squares;
    steps += other.steps;
    terminated += other.terminated;
    for (std::size_t t = 0; t < tags.size(); ++t) tags[t] += other.tags[t];
  }
};

/// A policy laid out for drawing actions.
class ActionSampler {
 public:
  explicit ActionSampler(const PolicyTable& policy) : width_(policy.action_count()) {
    for (ObsId obs = 0; obs < policy.size(); ++obs) {
      rows_.add_row(policy.row(obs));
      best_.push_back(policy.argmax(obs));
      random_ |= policy.defined(obs) && policy.row(obs)[best_.back()] < 1;
    }
  }

  /// Whether any observation leaves a choice; otherwise the words are not read.
  bool random() const { return random_; }

  void pick(std::span<const ObsId> ids, std::span<const std::uint32_t> words, std::span<ActionId> actions) const {
    if (!random_) {
      for (std::size_t i = 0; i < ids.size(); ++i) actions[i] = best_[ids[i]];
      return;
    }
    const AliasTable::View rows = rows_.view();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      actions[i] = static_cast<ActionId>(rows.pick(ids[i], words[i]) - ids[i] * width_);
    }
  }

 private:
  std::size_t width_;
  bool random_ = false;
  AliasTable rows_;
  std::vector<ActionId> best_;
};

/// Episodes are played in chunks, each with random streams of its own, in lanes that play a fixed number of episodes
/// each: "the first N to finish" would favour short ones.
constexpr std::size_t kLanes = 128;
constexpr std::size_t kChunk = 512 * kLanes;

class ChunkPlayer {
 public:
  ChunkPlayer(const TransitionSampler& transitions, const ActionSampler& actions, std::uint64_t seed, std::size_t chunk)
      : env_(transitions, kLanes, 2 * chunk), action_words_(seed, 2 * chunk + 1), actions_(actions) {
    env_.reset(seed);
  }

  Tally play(std::size_t episodes, std::size_t tag_count) {
    tally_.tags.assign(tag_count, 0.0);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      left_[lane] = static_cast<std::uint32_t>(episodes / kLanes + (lane < episodes % kLanes ? 1 : 0));
    }
    for (std::uint64_t step = 0; tally_.episodes < static_cast<double>(episodes); ++step) advance(step);
    return tally_;
  }

 private:
  void advance(std::uint64_t step) {
    if (actions_.random()) action_words_.fill(step * (kLanes / std::tuple_size_v<RandomStream::Block>), words_);
    actions_.pick(env_.current(), words_, chosen_);
    const VectorStep result = env_.step(chosen_);
    const auto tags = env_.tags();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      returns_[lane] += result.rewards[lane];
      ++steps_[lane];
      if ((result.terminated[lane] | result.truncated[lane]) != 0) finish(lane, result.terminated[lane] != 0, tags[lane]);
    }
  }

  void finish(std::size_t lane, bool terminated, std::int8_t tag) {
    if (left_[lane] > 0) {
      --left_[lane];
      tally_.episodes += 1;
      tally_.returns += returns_[lane];
      tally_.squares += returns_[lane] * returns_[lane];
      tally_.steps += steps_[lane];
      tally_.terminated += terminated ? 1 : 0;
      if (tag >= 0) tally_.tags[static_cast<std::size_t>(tag)] += 1;
    }
    returns_[lane] = 0;
    steps_[lane] = 0;
  }

  TableEnv env_;
  RandomStream action_words_;
  const ActionSampler& actions_;
  Tally tally_;
  std::array<std::uint32_t, kLanes> words_{};
  std::array<ActionId, kLanes> chosen_{};
  std::array<std::uint32_t, kLanes> left_{};
  std::array<std::uint32_t, kLanes> steps_{};
  std::array<double, kLanes> returns_{};
};

}  // namespace

Evaluation evaluate_by_sampling(const FiniteModel& model, const PolicyTable& policy, const SamplingOptions& options) {
  Evaluation result;
  result.exact = false;
  result.episodes = options.episodes;
  result.undefined = find_undefined(model, policy, visited(model, policy).states);
  if (result.undefined) return result;

  const TransitionSampler transitions(model);
  const ActionSampler actions(policy);
  const std::size_t chunks = (options.episodes + kChunk - 1) / kChunk;
  std::vector<Tally> tallies(chunks);
  parallel_for(chunks, options.jobs, [&](std::size_t chunk) {
    const std::size_t episodes = std::min(kChunk, options.episodes - chunk * kChunk);
    tallies[chunk] = ChunkPlayer(transitions, actions, options.seed, chunk).play(episodes, model.tags().size());
    if (options.on_episodes) options.on_episodes(episodes);
  });

  Tally total;
  total.tags.assign(model.tags().size(), 0.0);
  for (const Tally& tally : tallies) total.add(tally);
  const double n = total.episodes;
  result.mean_return = total.returns / n;
  const double variance = std::max(0.0, total.squares / n - result.mean_return * result.mean_return);
  result.standard_error = n > 1 ? std::sqrt(variance / (n - 1)) : 0;
  result.length = total.steps / n;
  result.terminated = total.terminated / n;
  for (const double count : total.tags) result.tag_rates.push_back(count / n);
  return result;
}

}  // namespace ndnf
