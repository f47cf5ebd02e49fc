#include "ndnf/training/learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/random.h"
#include "ndnf/compile/rule_conjunctions.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/simulation/evaluate_by_sampling.h"
#include "ndnf/train/exact_finish.h"
#include "ndnf/train/staged_trainer.h"
#include "ndnf/train/streams.h"
#include "ndnf/training/planned_network.h"

namespace ndnf {
namespace {

std::uint64_t seed_of(const TrainConfig& config) { return static_cast<std::uint64_t>(config.run.seed); }

std::unique_ptr<VectorEnv> walkers(const LearningTask& learning, std::int64_t count) {
  return learning.task.environments(static_cast<std::size_t>(count), kEnvironmentStream);
}

Checkpoint checkpoint_of(const TrainConfig& config, const Task& task, const std::string& model,
                         std::variant<ActorCritic<float>, QTable> policy, std::uint64_t steps) {
  return {model,
          std::move(policy),
          task.vocabulary,
          task.spec,
          config.run.preset,
          Selection::parse("eval.select", config.eval.select),
          config.extract.as,
          seed_of(config),
          steps,
          config.run.shield,
          task.fingerprint(),
          config.extract.threshold};
}

/// A learner for any trainer with a `policy()`, followed by the exact finish if the config asks for one.
template <class NetworkTrainer>
Learner network_learner(const TrainConfig& config, const LearningTask& learning, const LockedWeights& locked,
                        std::unique_ptr<NetworkTrainer> trainer) {
  const NetworkTrainer* kept = trainer.get();
  const auto checkpoint = [config, &task = learning.task](ActorCritic<float> policy, std::uint64_t steps) {
    if (auto* dnf = std::get_if<NeuralDnf<float>>(&policy.actor)) sharpen(config.harden, *dnf);
    return checkpoint_of(config, task, config.actor.model, std::move(policy), steps);
  };
  if (config.finish.steps == 0) {
    return {std::move(trainer),
            [checkpoint, kept](std::uint64_t steps) { return checkpoint(kept->policy(), steps); }};
  }
  const auto finish = std::make_shared<const ExactFinish<float>*>(nullptr);  // set when it begins
  auto staged = std::make_unique<StagedTrainer>(
      std::move(trainer),
      [config, &model = learning.task.model(), constraints = Constraints{locked, learning.mask}, kept,
       finish] {
        auto second = std::make_unique<ExactFinish<float>>(model, kept->policy(), config.finish, constraints);
        *finish = second.get();
        return second;
      },
      static_cast<std::size_t>(config.finish.steps));
  return {std::move(staged), [checkpoint, kept, finish](std::uint64_t steps) {
            return checkpoint(*finish == nullptr ? kept->policy() : (*finish)->policy(), steps);
          }};
}

Learner ppo_learner(const TrainConfig& config, const LearningTask& learning, StartingPoint start) {
  auto trainer = std::make_unique<PpoTrainer<float>>(
      walkers(learning, config.ppo.num_envs), std::move(start.network), config.ppo, config.losses,
      config.delta, config.harden, seed_of(config), Constraints{start.locked, learning.mask});
  return network_learner(config, learning, start.locked, std::move(trainer));
}

Learner distill_learner(const TrainConfig& config, const LearningTask& learning, StartingPoint start) {
  const Lessons& lessons = *learning.lessons;
  check_lessons(config.distill.teacher, lessons);
  start.network.critic.reset();
  auto trainer = std::make_unique<DistillTrainer<float>>(
      *lessons.table, lessons.observations, lessons.teacher, std::move(start.network), config.distill,
      config.losses, config.delta, config.harden, seed_of(config), Constraints{start.locked, learning.mask});
  return network_learner(config, learning, start.locked, std::move(trainer));
}

Learner table_learner(const TrainConfig& config, const LearningTask& learning) {
  const TdTarget target = config.run.method == "sarsa" ? TdTarget::kTaken : TdTarget::kBest;
  auto trainer = std::make_unique<QLearningTrainer>(walkers(learning, 1), config.q_learning, target,
                                                    seed_of(config), learning.mask);
  const QLearningTrainer* kept = trainer.get();
  return {std::move(trainer), [config, &task = learning.task, kept](std::uint64_t steps) {
            return checkpoint_of(config, task, config.table_actor.model,
                                 make_q_table(kept->observations(), kept->q()), steps);
          }};
}

/// Whether a planned policy, and then its network, is optimal, as far as the finite model tells. The network
/// may differ: where the plan has ties, and in observations that it does not know.
std::function<bool(const BestActions&)> solved_test(const LearningTask& learning, bool ties) {
  if (!learning.task.is_finite() || !is_optimum_cheap(learning.task.model())) return nullptr;
  const FiniteModel& model = learning.task.model();
  const BestReturn best =
      (learning.mask == nullptr ? find_optimum(model) : find_optimum(model, *learning.mask)).best_return();
  return [&model, mask = learning.mask, best, ties](const BestActions& actions) {
    const auto is_optimal = [&](const PolicyTable& rows) {
      return best.gap(evaluate_exactly(model, rows).mean_return) == 0;
    };
    if (!is_optimal(planned_policy(actions, model.observations(), mask))) return false;
    const DnfPolicy network(planned_network(actions, model.shared_observations(), ties), mask);
    return is_optimal(select(tabulate(network, model.observations()), {Selection::Kind::kArgmax, 0}, mask));
  };
}

/// The network of the settings with the rules of a plan in front, at a scale at which they can learn.
ActorCritic<float> learning_network(const TrainConfig& config, const ObservationTable& table,
                                    const NeuralDnf<double>& rules) {
  ActorCritic<double> network = random_network(config, table);
  NeuralDnf<double> actor =
      with_rules(rule_conjunctions(rules), {}, config.init.scale, std::get<NeuralDnf<double>>(network.actor));
  actor.activation = Activation::kTanh;
  network.actor = std::move(actor);
  return converted<float>(network);
}

/// Whether `other` earns more than `plan` in fresh episodes, by more than the errors of the samples.
bool is_better(const Checkpoint& other, const Checkpoint& plan, const LearningTask& learning) {
  constexpr double kErrors = 2;
  const FiniteModel& model = learning.task.model();
  const auto earned = [&](const Checkpoint& checkpoint, std::uint64_t seed) {
    const PolicyTable rows = tabulate(*policy_of(checkpoint, learning.mask), model.observations());
    const SamplingOptions options{50'000, seed, 1, nullptr};
    return evaluate_by_sampling(model, select(rows, checkpoint.select, learning.mask), options)
        .expected_return();
  };
  const Expectation a = earned(other, plan.seed);
  const Expectation b = earned(plan, plan.seed + 1);
  return a.value - b.value > kErrors * std::hypot(a.standard_error, b.standard_error);
}

/// The plan as a network. Each of several best actions is good, but all choices together need not be: then
/// the first ones are taken.
NeuralDnf<double> rules_of(const PlanningTrainer& plan, const std::shared_ptr<const ObservationTable>& table,
                           bool ties, const ActionMask* mask) {
  NeuralDnf<double> network = planned_network(plan.best_actions(), table, ties);
  if (!ties || plan.best_actions().empty()) return network;
  const PolicyTable rows = tabulate(DnfPolicy(network, mask), *table);
  const double wanted = plan.learned_return(planned_policy(plan.best_actions(), *table, mask));
  const double reached = plan.learned_return(select(rows, {Selection::Kind::kArgmax, 0}, mask));
  constexpr double kTolerance = 1e-9;
  if (reached >= wanted - kTolerance * std::abs(wanted)) return network;
  return planned_network(plan.best_actions(), table, false);
}

/// Planning, then PPO if the config says so and the plan is not optimal. Until PPO is done, the policy is the
/// plan's.
Learner planning_learner(const TrainConfig& config, const LearningTask& learning) {
  if (config.actor.model != "ndnf-mt" || config.encoder.model != "none")
    throw Error("plan", "a plan becomes a neural DNF-MT without an encoder",
                fmt::format("it is not {}", config.actor.model));
  constexpr std::size_t kLongest = 1000;  // of plans for tasks without a step limit
  const std::size_t horizon = learning.task.is_finite() && !learning.task.model().endless()
                                  ? learning.task.model().horizon()
                                  : learning.task.step_limit.value_or(kLongest);
  const bool ties = !config.plan.refine;
  const auto solved = solved_test(learning, ties);
  auto planner = std::make_unique<PlanningTrainer>(walkers(learning, config.plan.num_envs), config.plan,
                                                   horizon, seed_of(config), learning.mask, solved);
  const PlanningTrainer* const plan = planner.get();
  const auto rules = [plan, table = learning.task.observations(), ties, mask = learning.mask] {
    return rules_of(*plan, table, ties, mask);
  };
  const auto checkpoint = [config, &task = learning.task](ActorCritic<float> network, std::uint64_t steps,
                                                          const std::string& select) {
    TrainConfig own = config;
    own.eval.select = select;
    own.extract.as = select == "argmax" ? "asp" : "problog";
    return checkpoint_of(own, task, config.actor.model, std::move(network), steps);
  };
  const auto planned = [rules, checkpoint](std::uint64_t steps) {
    ActorCritic<float> network;
    network.actor = converted<float>(rules());
    return checkpoint(std::move(network), steps, "argmax");
  };
  if (!config.plan.refine) return {std::move(planner), planned};
  const auto second = std::make_shared<const PpoTrainer<float>*>(nullptr);  // set when it begins
  const auto iterations =
      static_cast<std::size_t>(config.ppo.total_timesteps / (config.ppo.num_envs * config.ppo.num_steps));
  auto staged = std::make_unique<StagedTrainer>(
      std::move(planner),
      [config, learning, rules, solved, plan, second]() -> std::unique_ptr<Trainer> {
        if (solved && solved(plan->best_actions())) return nullptr;
        auto ppo = std::make_unique<PpoTrainer<float>>(
            walkers(learning, config.ppo.num_envs),
            learning_network(config, *learning.task.observations(), rules()), config.ppo, config.losses,
            config.delta, config.harden, seed_of(config), Constraints{{}, learning.mask});
        *second = ppo.get();
        return ppo;
      },
      iterations);
  return {std::move(staged), [planned, checkpoint, second, learning](std::uint64_t steps) {
            Checkpoint plan_alone = planned(steps);
            if (*second == nullptr || !(*second)->done()) return plan_alone;
            Checkpoint refined = checkpoint((*second)->policy(), steps, "sample");
            return is_better(refined, plan_alone, learning) ? refined : plan_alone;
          }};
}

/// Teacher, distillation, search and selection.
Learner rule_learner(const TrainConfig& config, const LearningTask& learning) {
  auto trainer = make_rule_trainer(config, learning.task, learning.rules_teacher, learning.jobs);
  const RuleTrainer* kept = trainer.get();
  return {std::move(trainer), [config, &task = learning.task, kept](std::uint64_t steps) {
            return learned_rules(*kept, config, task, steps);
          }};
}

}  // namespace

Learner make_learner(const TrainConfig& config, const LearningTask& learning,
                     std::optional<StartingPoint> start) {
  if (config.run.method == "plan") return planning_learner(config, learning);
  if (config.run.method == "rules") return rule_learner(config, learning);
  if (config.run.method != "ppo" && config.run.method != "distill") return table_learner(config, learning);
  if (!start) start = starting_point(config, learning.task, *learning.task.observations());
  return config.run.method == "ppo" ? ppo_learner(config, learning, std::move(*start))
                                    : distill_learner(config, learning, std::move(*start));
}

}  // namespace ndnf
