#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/nn/matrix.h"
#include "ndnf/simulation/vector_env.h"
#include "ndnf/train/trainer.h"

namespace ndnf {

/// The section [q-learning] of a preset, for Q-learning and SARSA.
struct QLearningOptions {
  std::int64_t episodes = 10000;
  double gamma = 0.99;
  double alpha = 0.1;
  double epsilon_start = 1;
  double epsilon_end = 0.1;
  double epsilon_decay = 10000;
  bool bootstrap_at_end = false;
  std::int64_t total_timesteps = 0;  ///< 0: no limit.
};
ConfigTable<QLearningOptions> q_learning_config();

/// The value used for the successor of a step.
enum class TdTarget : std::uint8_t {
  kBest,  ///< Q-learning: the maximum over the next actions.
  kTaken  ///< SARSA: the value of the next action taken.
};

/// Learns a table of action values, updated after every step: Q(s, a) += alpha (r + gamma V(s') − Q(s, a)).
/// V(s') is 0 if the episode terminated (unless `bootstrap_at_end`), but not if it was truncated at the step
/// limit, since the task would have continued. The action is the best one so far (the first on a tie) or,
/// with probability epsilon, a uniformly random one; epsilon falls with the steps: end + (start − end)
/// exp(−steps / decay). Several walkers share the table; with one this is the textbook algorithm. Random
/// streams: the environment's own (0), actions (2). `mask`, if given, covers every observation and outlives
/// the trainer: forbidden actions are never taken, and their value is the lowest finite number, so that they
/// are never the best.
class QLearningTrainer final : public Trainer {
 public:
  QLearningTrainer(std::unique_ptr<VectorEnv> env, const QLearningOptions& options, TdTarget target,
                   std::uint64_t seed, const ActionMask* mask = nullptr);

  bool done() const override;
  /// Plays a two-hundredth of the episodes.
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;
  bool began_new_episodes() const override { return new_episodes_; }

  const ObservationTable& observations() const { return env_->observations(); }
  /// (observations, actions)
  const Matrix<double>& q() const { return q_; }

 private:
  IterationReport next_iteration() override;
  /// Whether the episodes, or the steps, of an iteration have been played.
  bool played(std::size_t iterations) const;
  /// Reads the words of one random stream in order.
  class Words {
   public:
    Words(std::uint64_t seed, std::uint64_t stream);
    std::uint32_t next() {
      if (used_ == buffer_.size()) refill();
      return buffer_[used_++];
    }
    /// The number of words read so far.
    std::uint64_t count() const { return end_ - (buffer_.size() - used_); }
    void seek(std::uint64_t count);

   private:
    void refill();

    RandomStream stream_;
    std::vector<std::uint32_t> buffer_;
    std::size_t used_;
    std::uint64_t end_ = 0;  ///< The number of words buffered so far.
  };

  void begin_episodes(std::uint64_t seed);
  double epsilon() const { return options_.epsilon_end + excess_; }
  void begin_epsilon();
  void step();
  void learn(std::size_t walker, const VectorStep& step);
  void count(std::size_t walker, const VectorStep& step);
  ActionId choose(ObsId obs);
  /// A uniformly random allowed action, from a number in [0, 1).
  ActionId any_action(ObsId obs, double uniform) const;
  /// Adds rows of zeros for observations that appeared since the last call.
  void make_room();
  void check_finite() const;

  const QLearningOptions options_;
  const TdTarget target_;
  const std::uint64_t seed_;
  const ActionMask* const mask_;
  std::unique_ptr<VectorEnv> env_;
  std::size_t iterations_;
  Words words_;
  Matrix<double> q_;

  std::size_t iteration_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t episodes_ = 0;
  std::vector<ObsId> seen_;        // current observation of each walker
  std::vector<ActionId> actions_;  // chosen for it
  std::vector<double> returns_;    // of the walkers' current episodes
  std::vector<std::uint64_t> lengths_;

  double excess_ = 0;  ///< epsilon − epsilon_end
  double shrink_ = 1;  ///< Its factor per step of all walkers.
  bool new_episodes_ = false;
  std::size_t finished_ = 0;
  double finished_return_ = 0;
  double finished_length_ = 0;
};

}  // namespace ndnf
