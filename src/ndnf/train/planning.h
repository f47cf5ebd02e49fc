#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/simulation/vector_env.h"
#include "ndnf/train/episode_model.h"
#include "ndnf/train/trainer.h"

namespace ndnf {

/// The section [plan] of a preset.
struct PlanOptions {
  std::int64_t total_timesteps = 2'000'000;
  std::int64_t num_envs = 16;
  double optimism = 1;
  std::int64_t horizon = 0;  ///< Set by the task's step limit if 0.
  std::int64_t patience = 8;
  double discount = 1;
  bool refine = false;
};
ConfigTable<PlanOptions> plan_config();

/// The best actions that a plan found, one bit each, per observation; 0 where nothing is known.
using BestActions = std::vector<std::uint64_t>;

/// Learns what actions do from episodes (EpisodeModel), and plans in what it has learned: by backward
/// induction over the horizon, at a cost of at most horizon × results, again whenever the steps have grown by
/// a sixteenth. Episodes follow optimistic plans. What was never tried is worth more than anything seen, and
/// what was tried seldom may be better than it seemed; several kinds of such hopes take turns, because each
/// misses something: bonuses added at every step find far rewards against a current but make the agent linger
/// in safe places, chances of a paradise do not; high hopes reach everything, low ones look where it matters.
/// After some million steps every second plan is sober, and hopes for no more than the standard errors of
/// its estimates allow: what is not quite as good as the best gets enough tries to tell, and nothing is
/// expected of an action that has only ever changed nothing.
///
/// The policy comes from plans without optimism. With a step limit the best plan knows the time and a policy
/// does not, so plans without a clock compete, in which episodes end at random, and at the end a search by
/// find_optimum; the best in the learned model wins. Equally good actions are best if they need the fewest
/// expected steps.
///
/// `is_solved(actions)` may end the training early: it must be true after `patience` iterations in a row.
/// REQUIRES: the environment keeps its observations, which determine what happens next; `mask` covers them.
class PlanningTrainer final : public Trainer {
 public:
  PlanningTrainer(std::unique_ptr<VectorEnv> env, const PlanOptions& options, std::size_t horizon,
                  std::uint64_t seed, const ActionMask* mask,
                  std::function<bool(const BestActions&)> is_solved);

  bool done() const override;
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;
  bool began_new_episodes() const override { return new_episodes_; }

  const BestActions& best_actions() const { return best_; }
  /// The return of a policy in what has been learned.
  double learned_return(const PolicyTable& policy) const;

 private:
  /// What a plan expects of what it does not know.
  struct Hope {
    enum class Kind : std::uint8_t {
      kNone,
      kAdded,  ///< An estimate from n tries is raised by errors √(2 variance / n) + spread / n, step by step.
      kMixed,  ///< It counts as if one try more had led to paradise, and ended there.
    };
    Kind kind = Kind::kNone;
    double paradise = 0;  ///< The value of what was never tried.
    double spread = 0;
    double errors = 1;  ///< How many standard errors √(2 variance / n).
    double doubt = 0;   ///< The variance counts as if one try more had been so far from the mean.

    bool any() const { return kind != Kind::kNone; }
    double raised(double mean, double variance, std::uint64_t tries, double optimism) const;
  };
  struct Plan {
    std::vector<double> values;
    BestActions actions;
  };

  IterationReport next_iteration() override;
  std::size_t steps_in_iteration() const;
  std::size_t iterations_left() const;
  void play(std::size_t steps, IterationReport& report);
  ActionId choose(ObsId obs, RandomSequence& random) const;
  bool allows(ObsId obs, ActionId action) const { return mask_ == nullptr || mask_->allows(obs, action); }
  Plan plan(const Hope& hope, double discount) const;
  /// Makes the optimistic plan, and returns the other one.
  BestActions plan_curiously();
  /// The best policy that is known: the plan's, the last one, or now and then that of a search.
  void choose_policy(BestActions planned);
  FiniteModel learned_model() const;

  const PlanOptions options_;
  const std::size_t horizon_;
  const std::uint64_t seed_;
  const ActionMask* const mask_;
  const std::function<bool(const BestActions&)> is_solved_;
  std::unique_ptr<VectorEnv> env_;
  EpisodeModel model_;
  BestActions best_;
  BestActions curious_;  ///< The actions of the optimistic plan.
  std::size_t iteration_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t solved_ = 0;  ///< Iterations in a row.
  std::vector<ObsId> seen_;
  std::vector<double> returns_;
  std::vector<std::uint64_t> lengths_;
  bool new_episodes_ = false;
};

}  // namespace ndnf
