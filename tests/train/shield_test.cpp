#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "ndnf/mdp/reachability.h"
#include "ndnf/model/build.h"
#include "ndnf/model/q_table.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/train/distill.h"
#include "ndnf/train/ppo.h"
#include "ndnf/train/ppo_loss.h"
#include "ndnf/train/q_learning.h"
#include "nn/gradient_check.h"
#include "train/run.h"

namespace ndnf {
namespace {

using testing::is_gradient;
using testing::run;

/// Forwards steps and counts them, and those that the mask forbids.
class WatchedEnv final : public VectorEnv {
 public:
  struct Counts {
    std::size_t actions = 0;
    std::size_t forbidden = 0;
  };
  WatchedEnv(std::unique_ptr<VectorEnv> inner, const ActionMask& mask, Counts& counts)
      : inner_(std::move(inner)), mask_(mask), counts_(counts) {}

  std::size_t size() const override { return inner_->size(); }
  const ObservationTable& observations() const override { return inner_->observations(); }
  std::span<const ObsId> reset(std::uint64_t seed) override { return seen(inner_->reset(seed)); }
  VectorStep step(std::span<const ActionId> actions) override {
    for (std::size_t n = 0; n < actions.size(); ++n) {
      ++counts_.actions;
      counts_.forbidden += mask_.allows(seen_[n], actions[n]) ? 0 : 1;
    }
    const VectorStep step = inner_->step(actions);
    seen(step.observations);
    return step;
  }
  std::optional<std::vector<std::uint64_t>> snapshot() const override { return inner_->snapshot(); }
  std::span<const ObsId> restore(std::span<const std::uint64_t> snapshot) override {
    return seen(inner_->restore(snapshot));
  }

 private:
  std::span<const ObsId> seen(std::span<const ObsId> ids) {
    seen_.assign(ids.begin(), ids.end());
    return ids;
  }

  std::unique_ptr<VectorEnv> inner_;
  const ActionMask& mask_;
  Counts& counts_;
  std::vector<ObsId> seen_;
};

/// Taxi, where observation i may not take the i-th action, nor one or two of the following ones.
struct ShieldedTask {
  Task environment = make_task("taxi:factored");
  TransitionSampler sampler{environment.model()};
  ActionMask mask = some_actions(environment.model().observations());
  WatchedEnv::Counts counts{};

  static ActionMask some_actions(const ObservationTable& table) {
    const std::size_t actions = table.vocabulary().action_count();
    std::vector<std::uint64_t> allowed;
    for (ObsId obs = 0; obs < table.size(); ++obs) {
      allowed.push_back((1u << actions) - 1);
      for (std::size_t k = 0; k <= obs % 3; ++k) allowed.back() &= ~(1ull << (obs + k) % actions);
    }
    return {actions, allowed};
  }
  const ObservationTable& table() const { return environment.model().observations(); }

  std::unique_ptr<VectorEnv> env(std::size_t walkers) {
    return std::make_unique<WatchedEnv>(std::make_unique<TableEnv>(sampler, walkers), mask, counts);
  }
  template <class S>
  ActorCritic<S> network(const std::string& model = "ndnf-mt") const {
    ActorOptions actor;
    actor.model = model;
    actor.conjunctions = 6;
    RandomSequence random(RandomStream(2, 1));
    return converted<S>(build_network(table(), actor, {}, {}, random));
  }
  template <class S>
  PpoTrainer<S> ppo(const std::string& model = "ndnf-mt") {
    PpoOptions options;
    options.total_timesteps = 5120;
    LossOptions losses;
    losses.mt_lambda = 1e-3;
    return PpoTrainer<S>(env(8), network<S>(model), options, losses, {}, {}, 5, {{}, &mask});
  }
};

TEST(ShieldedPpo, NeverTakesAForbiddenAction) {
  for (const char* model : {"ndnf-mt", "mlp"}) {
    ShieldedTask task;
    auto trainer = task.ppo<float>(model);
    run(trainer);
    EXPECT_EQ(task.counts.actions, 5120u);
    EXPECT_EQ(task.counts.forbidden, 0u) << model;
  }
}

TEST(ShieldedPpo, WouldTakeForbiddenActionsWithoutTheMask) {
  ShieldedTask task;
  PpoOptions options;
  options.total_timesteps = 512;
  PpoTrainer<float> trainer(task.env(8), task.network<float>(), options, {}, {}, {}, 5);
  run(trainer);
  EXPECT_GT(task.counts.forbidden, 100u);
}

TEST(ShieldedPpo, GoesOnFromASavedStateWithTheSameBytes) {
  ShieldedTask task;
  auto whole = task.ppo<float>();
  auto first = task.ppo<float>();
  for (int i = 0; i < 3; ++i) first.iterate();
  auto second = task.ppo<float>();
  second.restore("state", first.state());
  run(whole);
  run(second);
  EXPECT_EQ(to_safetensors(whole.state()), to_safetensors(second.state()));
}

/// PPO's losses and L4 of a network under the mask, and their gradient.
class Losses {
 public:
  Losses() : network_(task_.network<double>()) {
    ppo_.ent_coef = 0.1;
    auxiliary_.mt_lambda = 0.01;
    std::get<NeuralDnf<double>>(network_.actor).delta = 0.7;
    for (ObsId obs = 0; obs < 12; ++obs) ids_.push_back(obs * 7);
    for (std::uint32_t slot = 0; slot < ids_.size(); ++slot) {
      samples_.slot.push_back(slot);
      samples_.action.push_back(task_.mask.nth_allowed(ids_[slot], slot % 3));
      samples_.old_probability.push_back(0.3);
      samples_.old_value.push_back(0.1 * slot);
      samples_.advantage.push_back(slot % 2 == 0 ? 1.0 : -0.5);
      samples_.target.push_back(1);
      samples_.counts.push_back(1);
    }
  }

  ActorCritic<double>& network() { return network_; }
  const Activations<double>& activations() const { return activations_; }
  const OutputGradients<double>& output_gradients() const { return output_gradients_; }
  const ActionMask& mask() const { return task_.mask; }
  const std::vector<ObsId>& ids() const { return ids_; }

  double value(ActorCritic<double>& gradient) {
    Batch<double> batch;
    gather(task_.table(), ids_, network_, batch, &task_.mask);
    forward_actor(network_, batch, activations_);
    const Matrix<double>& values = forward_critic(network_, batch, activations_);
    output_gradients_ = {Matrix<double>(ids_.size(), 6), Matrix<double>(ids_.size(), 1), {}, {}};
    const PpoLosses main = add_ppo_losses(ppo_, samples_, activations_.p, values,
                                          std::numeric_limits<double>::epsilon(), output_gradients_);
    const AuxiliaryLosses other = add_auxiliary_losses<double>(
        auxiliary_, network_, activations_, samples_.counts, static_cast<double>(ids_.size()),
        output_gradients_, gradient, batch.allowed);
    backward(network_, batch, activations_, output_gradients_, gradient);
    return main.policy + ppo_.vf_coef * main.value - ppo_.ent_coef * main.entropy +
           auxiliary_.mt_lambda * other.l4;
  }

 private:
  ShieldedTask task_;
  ActorCritic<double> network_;
  std::vector<ObsId> ids_;
  PpoSamples<double> samples_;
  PpoOptions ppo_;
  LossOptions auxiliary_;
  Activations<double> activations_;
  OutputGradients<double> output_gradients_;
};

TEST(ShieldedLosses, HaveTheGradientOfNumericalDifferentiation) {
  Losses losses;
  ActorCritic<double> gradient = zeros_like(losses.network());
  losses.value(gradient);
  const auto value = [&] {
    ActorCritic<double> ignored = zeros_like(losses.network());
    return losses.value(ignored);
  };
  auto& parameters = std::get<NeuralDnf<double>>(losses.network().actor);
  const auto& actor_gradient = std::get<NeuralDnf<double>>(gradient.actor);
  EXPECT_TRUE(is_gradient(actor_gradient.disjunctions, parameters.disjunctions, value));
  EXPECT_TRUE(is_gradient(actor_gradient.conjunctions, parameters.conjunctions, value));
}

// Not even by L4, which without a mask changes every output.
TEST(ShieldedLosses, TeachForbiddenOutputsNothing) {
  Losses losses;
  ActorCritic<double> gradient = zeros_like(losses.network());
  losses.value(gradient);
  std::size_t forbidden = 0;
  for (std::size_t b = 0; b < losses.ids().size(); ++b) {
    for (ActionId a = 0; a < 6; ++a) {
      const bool allowed = losses.mask().allows(losses.ids()[b], a);
      EXPECT_EQ(losses.output_gradients().raw(b, a) == 0, !allowed);
      EXPECT_EQ(losses.activations().p(b, a) == 0, !allowed);
      forbidden += allowed ? 0 : 1;
    }
  }
  EXPECT_GT(forbidden, 12u);
}

TEST(ShieldedQLearning, ExploresAndMaximisesAmongTheAllowedActions) {
  for (const TdTarget target : {TdTarget::kBest, TdTarget::kTaken}) {
    ShieldedTask task;
    QLearningOptions options;
    options.episodes = 200;
    QLearningTrainer trainer(task.env(1), options, target, 3, &task.mask);
    run(trainer);
    EXPECT_GT(task.counts.actions, 200u);
    EXPECT_EQ(task.counts.forbidden, 0u);
    const PolicyTable policy = tabulate(QTablePolicy(make_q_table(task.table(), trainer.q())), task.table());
    for (ObsId obs = 0; obs < policy.size(); ++obs) {
      EXPECT_TRUE(task.mask.allows(obs, policy.argmax(obs)));
      for (ActionId a = 0; a < 6; ++a) {
        if (task.mask.allows(obs, a)) {
          EXPECT_GT(trainer.q()(obs, a), -1000);
        }
      }
    }
  }
}

TEST(ShieldedQLearning, GoesOnFromASavedStateWithTheSameBytes) {
  ShieldedTask task;
  QLearningOptions options;
  options.episodes = 400;
  const auto trainer = [&] { return QLearningTrainer(task.env(1), options, TdTarget::kBest, 3, &task.mask); };
  QLearningTrainer whole = trainer();
  QLearningTrainer first = trainer();
  for (int i = 0; i < 50; ++i) first.iterate();
  QLearningTrainer second = trainer();
  second.restore("state", first.state());
  run(whole);
  run(second);
  EXPECT_EQ(to_safetensors(whole.state()), to_safetensors(second.state()));
}

TEST(ShieldedDistillation, TeachesTheBestAllowedPolicy) {
  ShieldedTask task;
  ActorCritic<float> student = task.network<float>("mlp");
  student.critic.reset();
  const PolicyTable teacher = find_optimum(task.environment.model(), task.mask).policy;
  const std::vector<ObsId> observations = reachable(task.environment.model()).observations;
  DistillTrainer<float> trainer(task.table(), observations, teacher, student, {"", 32, 60, 0.01, 1e-8, ""},
                                {}, {}, {}, 1, {{}, &task.mask});
  run(trainer);
  const ActorPolicy taught(converted<double>(trainer.network()), 6, &task.mask);
  const PolicyTable rows = tabulate(taught, task.table());
  std::size_t same = 0;
  for (const ObsId obs : observations) {
    for (ActionId a = 0; a < 6; ++a) EXPECT_TRUE(task.mask.allows(obs, a) || rows.row(obs)[a] == 0);
    same += rows.argmax(obs) == teacher.argmax(obs) ? 1 : 0;
  }
  EXPECT_GT(static_cast<double>(same), 0.95 * static_cast<double>(observations.size()));
}

}  // namespace
}  // namespace ndnf
