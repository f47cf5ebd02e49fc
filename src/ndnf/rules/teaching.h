#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/rules/player.h"
#include "ndnf/train/ppo.h"

namespace ndnf {

/// Where the teacher of a search comes from: it is given, or an MLP to be trained.
struct TeacherSource {
  std::shared_ptr<const Policy> given{};
  /// PPO of the `attempt`-th teacher with this many steps.
  std::function<std::unique_ptr<PpoTrainer<float>>(std::uint64_t attempt, std::uint64_t steps)> train{};
  std::uint64_t steps = 0;  ///< Of the first attempt.
  /// A network as a policy.
  std::function<std::shared_ptr<const Policy>(const ActorCritic<float>& network)> policy{};
};

/// Why a training of a teacher seems poor, as a sentence; empty if it does not. `returns` are the mean
/// returns of its iterations, `greedy` that of its most probable actions afterwards.
std::string why_poor(std::span<const double> returns, double greedy);

/// Trains a teacher in attempts, as long as `limit` steps suffice: one that has learned something learns on
/// until it has had twice the steps, one that has not starts anew with twice as many. It ends when the last
/// attempt brought no more than one standard error, unless the teacher looks poor. The best one counts.
class Teaching {
 public:
  Teaching(TeacherSource source, std::size_t attempts, std::uint64_t limit);

  bool done() const { return policy_ != nullptr; }
  /// One iteration of PPO; the last one of an attempt also judges it, with episodes of `player`.
  IterationReport advance(Player& player, std::uint64_t seed);

  /// REQUIRES: done().
  const std::shared_ptr<const Policy>& policy() const { return policy_; }
  /// The network; nothing if the teacher was given.
  const std::optional<ActorCritic<float>>& network() const { return best_; }
  const std::string& warning() const { return warning_; }
  std::uint64_t steps() const { return steps_; }

  void save(TensorFile& file) const;
  void restore(std::string_view where, const TensorFile& file);

 private:
  std::uint64_t steps_of(std::uint64_t attempt) const { return source_.steps << attempt; }
  void begin();
  void go_on();
  void judge(Player& player, std::uint64_t seed);
  static std::vector<double> judging_returns(const Policy& policy, Player& player, std::uint64_t seed,
                                             std::vector<double>& undiscounted);

  TeacherSource source_;
  std::size_t attempts_;
  std::uint64_t limit_;
  std::unique_ptr<PpoTrainer<float>> ppo_;
  std::uint64_t attempt_ = 0;
  std::uint64_t first_attempt_ = 0;  ///< The one that began with the weights that are trained now.
  std::uint64_t steps_ = 0;          ///< Of all attempts.
  std::uint64_t steps_before_ = 0;   ///< Of the attempts before that one.
  std::vector<double> returns_;      ///< Of the iterations since then.
  std::optional<ActorCritic<float>> best_;
  std::vector<double> best_greedy_;  ///< Returns of the best one, without exploration.
  std::string warning_;
  std::shared_ptr<const Policy> policy_;
};

}  // namespace ndnf
