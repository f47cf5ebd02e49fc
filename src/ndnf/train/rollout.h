#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/simulation/vector_env.h"
#include "ndnf/train/running_scale.h"

namespace ndnf {

/// All samples of one iteration, ordered by step: index t · N + n.
template <class S>
struct Rollout {
  std::vector<ObsId> observations;
  std::vector<ActionId> actions;
  std::vector<S> probabilities;  ///< Of the action taken, clamped.
  std::vector<S> values;
  std::vector<double> rewards;
  std::vector<std::uint8_t> ended;  ///< Whether this step ended an episode.
  /// Samples to be left out: steps in which nothing happened, marked as ended. Empty if there are none.
  std::vector<std::uint8_t> skipped;
  std::vector<S> next_values;  ///< (N) values of the observations after the last step.
  std::size_t episodes = 0;    ///< Finished in this iteration, with the sums of their
  double returns = 0;          ///< returns
  double lengths = 0;          ///< and lengths.
};

/// How observations and rewards are scaled while learning (train/running_scale.h).
struct Scaling {
  double reward = 1;  ///< What the samples' rewards are multiplied by; the returns of episodes are not.
  bool inputs = false;
  bool rewards = false;
  double discount = 1;  ///< Of the returns by whose deviation rewards are divided.
};

/// Collects samples by playing the actor in N environments. The network is fixed during a rollout, so
/// probabilities and values are computed once per distinct observation.
template <class S>
class Collector {
 public:
  /// Rollouts have at most `steps` steps. `mask`, if given, covers every observation and outlives this
  /// object: forbidden actions are never taken. Without one, the environment says what it offers.
  Collector(std::unique_ptr<VectorEnv> env, std::size_t steps, std::uint64_t seed,
            const ActionMask* mask = nullptr, const Scaling& scaling = {});

  const ObservationTable& observations() const { return env_->observations(); }
  std::size_t walkers() const { return env_->size(); }
  bool cuts_episodes() const { return env_->cuts_episodes(); }
  /// The actions that may be taken; null: all of them.
  const ActionMask* mask() const { return mask_ != nullptr ? mask_ : env_->offered(); }

  /// Plays `steps` steps in every environment; the random numbers depend only on the seed and the iteration.
  /// If a step is truncated by the step limit, its reward is increased by `bootstrap` times the value of the
  /// state it led to.
  const Rollout<S>& collect(const ActorCritic<S>& network, std::size_t steps, std::uint64_t iteration,
                            double bootstrap = 0);

  /// How the network's inputs are scaled at present.
  const InputScale<S>& input_scale() const { return input_scale_; }
  /// Scales inputs by what the last rollout showed, from now on.
  void adapt_inputs();

  /// Adds the state of the episodes to a saved state, if the environment can be saved.
  void save(TensorFile& file) const;
  /// Without saved episodes, new ones start, whose random numbers depend on the iteration.
  void restore(std::string_view where, const TensorFile& file, std::uint64_t iteration);
  /// Whether `restore` had to start new episodes.
  bool began_new_episodes() const { return new_episodes_; }

 private:
  void look_up(const ActorCritic<S>& network, std::span<const ObsId> ids);
  void act(std::size_t sample, ObsId obs, S smallest);
  void record(std::size_t sample, std::size_t walker, const VectorStep& step);
  void go_on_after_limit(const ActorCritic<S>& network, const VectorStep& step, std::size_t first);
  void scale_rewards(double bootstrap);

  std::unique_ptr<VectorEnv> env_;
  const std::size_t action_count_;
  const std::uint64_t seed_;
  const RandomStream random_;
  const ActionMask* const mask_;
  const Scaling scaling_;
  InputScale<S> input_scale_;
  RewardScale reward_scale_;
  std::vector<ObsId> current_;
  std::vector<double> episode_returns_;
  std::vector<std::uint64_t> episode_lengths_;
  Rollout<S> rollout_;
  bool new_episodes_ = false;

  std::uint64_t cache_now_ = 0;             ///< Entries with this stamp belong to the current network.
  std::vector<std::uint64_t> cache_stamp_;  // (observations)
  std::vector<S> cached_p_;                 // (observations, N)
  std::vector<S> cached_values_;            // (observations)
  std::vector<ObsId> missing_;
  /// What the critic expects after steps that the step limit ended: sample and value.
  std::vector<std::pair<std::size_t, double>> beyond_limit_;
  std::vector<std::uint32_t> words_;
  Batch<S> batch_;
  Activations<S> activations_;
};

}  // namespace ndnf
