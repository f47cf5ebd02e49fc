#include "ndnf/train/ppo.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/golden.h"
#include "model/number_corridor.h"
#include "ndnf/base/error.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/model/build.h"
#include "ndnf/nn/activation.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/train/ppo_loss.h"
#include "ndnf/train/rollout.h"
#include "ndnf/train/streams.h"
#include "ndnf/update/gae.h"
#include "train/foreign_env.h"
#include "train/waiting_env.h"

namespace ndnf {
namespace {

std::vector<double> flat(const nlohmann::json& rows) {
  std::vector<double> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

void expect_near(double ours, double reference, const char* what) {
  EXPECT_NEAR(ours, reference, 1e-9 * std::max(1.0, std::abs(reference))) << what;
}

TEST(Gae, MatchesTheReference) {
  for (const auto& c : testing::golden_cases("gae_ppo.json")) {
    const std::size_t walkers = c.at("N");
    // dones[t] belongs to the observation of step t: the episode ended with step t − 1.
    std::vector<double> dones = flat(c.at("dones"));
    dones.erase(dones.begin(), dones.begin() + static_cast<std::ptrdiff_t>(walkers));
    dones.insert(dones.end(), c.at("next_done").begin(), c.at("next_done").end());
    const std::vector<std::uint8_t> ended(dones.begin(), dones.end());
    std::vector<double> advantages;
    std::vector<double> returns;
    generalised_advantages<double>({walkers, c.at("gamma"), c.at("gae_lambda")}, flat(c.at("rewards")),
                                   flat(c.at("values")), ended, c.at("next_value").get<std::vector<double>>(),
                                   advantages, returns);
    for (std::size_t i = 0; i < advantages.size(); ++i) {
      expect_near(advantages[i], flat(c.at("advantages"))[i], "advantage");
      expect_near(returns[i], flat(c.at("returns"))[i], "return");
    }
  }
}

TEST(PpoLoss, MatchesTheReferenceWithItsSlopes) {
  for (const auto& c : testing::golden_cases("gae_ppo.json")) {
    const auto indices = c.at("minibatch_indices").get<std::vector<std::size_t>>();
    const std::size_t actions = c.at("logits")[0].size();
    Matrix<double> logits(indices.size(), actions);
    Matrix<double> values(indices.size(), 1);
    PpoSamples<double> samples;
    for (std::size_t j = 0; j < indices.size(); ++j) {
      for (std::size_t a = 0; a < actions; ++a) logits(j, a) = c.at("logits")[j][a];
      values(j, 0) = c.at("new_value")[j];
      samples.slot.push_back(static_cast<std::uint32_t>(j));
      samples.action.push_back(c.at("actions")[j]);
      samples.old_probability.push_back(std::exp(c.at("old_log_prob")[j].get<double>()));
      samples.old_value.push_back(flat(c.at("values"))[indices[j]]);
      samples.advantage.push_back(flat(c.at("advantages"))[indices[j]]);
      samples.target.push_back(flat(c.at("returns"))[indices[j]]);
      samples.counts.push_back(1);
    }
    for (std::size_t j = 0; j < indices.size(); ++j)
      expect_near(samples.advantage[j], c.at("mb_adv_raw")[j], "advantage");
    normalise(samples.advantage);
    for (std::size_t j = 0; j < indices.size(); ++j) {
      expect_near(samples.advantage[j], c.at("mb_adv_normalised")[j], "normalised advantage");
    }
    PpoOptions options;
    options.clip_coef = c.at("clip_coef");
    options.clip_vloss = c.at("clip_vloss");
    options.ent_coef = c.at("ent_coef");
    options.vf_coef = c.at("vf_coef");
    Matrix<double> p;
    softmax_forward(logits, p);
    OutputGradients<double> output_gradients{
        Matrix<double>(indices.size(), actions), Matrix<double>(indices.size(), 1), {}, {}};
    const PpoLosses losses =
        add_ppo_losses(options, samples, p, values, std::numeric_limits<double>::min(), output_gradients);
    for (std::size_t j = 0; j < indices.size(); ++j) {
      const double log_probability = std::log(p(j, samples.action[j]));
      expect_near(log_probability, c.at("new_log_prob")[j], "log-probability");
      expect_near(std::exp(log_probability) / samples.old_probability[j], c.at("ratio")[j], "ratio");
    }
    expect_near(losses.policy - options.ent_coef * losses.entropy + options.vf_coef * losses.value,
                c.at("loss"), "whole loss");
    expect_near(losses.policy, c.at("pg_loss"), "policy loss");
    expect_near(losses.value, c.at("v_loss"), "value loss");
    expect_near(losses.entropy, c.at("entropy"), "entropy");
    expect_near(losses.approx_kl, c.at("approx_kl"), "approximate KL");
    expect_near(losses.clip_fraction, c.at("clipfrac"), "clip fraction");
    for (std::size_t j = 0; j < indices.size(); ++j) {
      for (std::size_t a = 0; a < actions; ++a)
        expect_near(output_gradients.raw(j, a), c.at("dlogits")[j][a], "dlogits");
      expect_near(output_gradients.values(j, 0), c.at("dnew_value")[j], "dnew_value");
    }
  }
}

/// A task with everything that training on it needs.
struct PpoTask {
  explicit PpoTask(const std::string& spec) : environment(make_task(spec)), sampler(environment.model()) {
    actor.conjunctions = 8;
    losses.mt_lambda = 1e-3;
    losses.dis_weight_reg_lambda = 1e-6;
    losses.conj_tanh_out_reg_lambda = 1e-4;
    delta.delay = 2;
  }

  template <class S>
  ActorCritic<S> network() const {
    RandomSequence random(RandomStream(0, kFirstWeightsStream));
    return converted<S>(build_network(environment.model().observations(), actor, critic, encoder, random));
  }
  std::unique_ptr<VectorEnv> env() const {
    return std::make_unique<TableEnv>(sampler, static_cast<std::size_t>(ppo.num_envs), kEnvironmentStream);
  }
  template <class S>
  PpoTrainer<S> trainer(std::unique_ptr<VectorEnv> walkers, bool once_per_sample = false) const {
    return PpoTrainer<S>(std::move(walkers), network<S>(), ppo, losses, delta, harden, 5, Constraints{},
                         once_per_sample);
  }

  Task environment;
  TransitionSampler sampler;
  ActorOptions actor;
  CriticOptions critic;
  EncoderOptions encoder;
  PpoOptions ppo;
  LossOptions losses;
  DeltaOptions delta;
  HardenOptions harden;
};

template <class S>
std::vector<double> weights(const ActorCritic<S>& network) {
  std::vector<double> all;
  visit_parameters(network, [&](const std::string&, Part, const Matrix<S>& m) {
    all.insert(all.end(), m.values().begin(), m.values().end());
  });
  return all;
}

void expect_same_weights(const ActorCritic<double>& a, const ActorCritic<double>& b) {
  EXPECT_THAT(weights(a), ::testing::Pointwise(::testing::DoubleNear(1e-9), weights(b)));
}

TEST(PpoTrainer, OneForwardPerDistinctObservationGivesTheSameWeights) {
  for (const std::string spec : {"blackjack", "door-corridor"}) {
    PpoTask task(spec);
    if (spec == "door-corridor") task.encoder.model = "conv-1x1";
    PpoTrainer<double> distinct = task.trainer<double>(task.env());
    PpoTrainer<double> plain = task.trainer<double>(task.env(), true);
    for (int i = 0; i < 10; ++i) {
      distinct.iterate();
      plain.iterate();
    }
    expect_same_weights(distinct.network(), plain.network());
  }
}

TEST(PpoTrainer, TrainsAForeignEnvironmentJustAsTheTable) {
  const PpoTask task("blackjack");
  PpoTrainer<double> table = task.trainer<double>(task.env());
  PpoTrainer<double> foreign = task.trainer<double>(std::make_unique<testing::ForeignEnv>(task.env()));
  for (int i = 0; i < 10; ++i) {
    table.iterate();
    foreign.iterate();
  }
  expect_same_weights(table.network(), foreign.network());
}

/// With every option enabled that has state or depends on time.
TEST(PpoTrainer, ARestoredStateGoesOnToTheSameBits) {
  PpoTask task("long-corridor-5:wall");
  task.ppo.total_timesteps = 20 * 512;
  task.ppo.average_last = 0.75;
  task.ppo.ent_from = 0.3;
  task.ppo.ent_to = 0.6;
  task.ppo.bootstrap_truncated = true;
  task.harden = {10, 0.3, 0.6, 0.7};
  PpoTrainer<float> through = task.trainer<float>(task.env());
  PpoTrainer<float> resumed = task.trainer<float>(task.env());
  for (int i = 0; i < 9; ++i) through.iterate();
  resumed.restore("state", parse_safetensors("state", to_safetensors(through.state())));
  while (!through.done()) {
    const IterationReport a = through.iterate();
    const IterationReport b = resumed.iterate();
    EXPECT_EQ(a.iteration, b.iteration);
    EXPECT_EQ(a.episodic_return, b.episodic_return);
  }
  EXPECT_TRUE(resumed.done());
  EXPECT_EQ(weights(through.network()), weights(resumed.network()));
  EXPECT_EQ(weights(through.policy()), weights(resumed.policy()));
  EXPECT_NE(weights(through.policy()), weights(through.network()));
}

TEST(PpoTrainer, FrozenConjunctionsStayAndDisjunctionsGoOn) {
  PpoTask task("blackjack");
  task.ppo.total_timesteps = 10 * 512;
  task.harden.freeze = 0.5;
  PpoTrainer<float> trainer = task.trainer<float>(task.env());
  const auto dnf = [&] { return std::get<NeuralDnf<float>>(trainer.network().actor); };
  for (int i = 0; i < 5; ++i) trainer.iterate();
  EXPECT_EQ(dnf().activation, Activation::kTanh);
  const NeuralDnf<float> before = dnf();
  while (!trainer.done()) trainer.iterate();
  EXPECT_EQ(dnf().activation, Activation::kStep);
  EXPECT_THAT(dnf().conjunctions.values(), ::testing::ElementsAreArray(before.conjunctions.values()));
  EXPECT_NE(dnf().disjunctions(0, 0), before.disjunctions(0, 0));
}

TEST(PpoTrainer, ThePolicyIsTheMeanOfTheLastWeights) {
  PpoTask task("small-corridor");
  task.ppo.total_timesteps = 4 * 512;
  task.ppo.average_last = 0.5;
  PpoTrainer<double> trainer = task.trainer<double>(task.env());
  std::vector<std::vector<double>> seen;
  while (!trainer.done()) {
    trainer.iterate();
    seen.push_back(weights(trainer.network()));
  }
  std::vector<double> mean = seen[2];
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (seen[2][i] + seen[3][i]) / 2;
  EXPECT_THAT(weights(trainer.policy()), ::testing::Pointwise(::testing::DoubleNear(1e-12), mean));
}

TEST(PpoTrainer, AFallenEntropyBonusIsNone) {
  PpoTask task("small-corridor");
  task.ppo.ent_from = task.ppo.ent_to = 0.01;  // of 195 iterations: the third has none
  PpoTrainer<float> fallen = task.trainer<float>(task.env());
  for (int i = 0; i < 2; ++i) fallen.iterate();
  task.ppo.ent_coef = 0;
  PpoTrainer<float> none = task.trainer<float>(task.env());
  none.restore("state", fallen.state());
  fallen.iterate();
  none.iterate();
  EXPECT_EQ(weights(fallen.network()), weights(none.network()));
}

TEST(PpoTrainer, ATableOfValuesLearnsAndIsNoPartOfThePolicy) {
  PpoTask task("small-corridor");
  task.critic.model = "table";
  PpoTrainer<float> trainer = task.trainer<float>(task.env());
  trainer.iterate();
  ASSERT_EQ(trainer.network().critic->layers.size(), 1u);
  const ObsId start = task.environment.model().observation(task.environment.model().starts()[0].state);
  EXPECT_LT(trainer.network().critic->layers[0].W(start, 0), 0);  // every step costs 1
  EXPECT_FALSE(trainer.policy().critic);
}

TEST(PpoTrainer, KeepsConjunctiveWeightsNegativeWhenAsked) {
  PpoTask task("blackjack");
  task.actor.init = "negative";
  task.ppo.keep_negative = true;
  PpoTrainer<float> trainer = task.trainer<float>(task.env());
  for (int i = 0; i < 5; ++i) trainer.iterate();
  const auto& dnf = std::get<NeuralDnf<float>>(trainer.network().actor);
  EXPECT_EQ(*std::max_element(dnf.conjunctions.values().begin(), dnf.conjunctions.values().end()), 0);
}

/// No episode gets anywhere within the step limit of 2, so every one is truncated.
TEST(Collector, ACutOffEpisodeCountsTheValueOfWhereItStopped) {
  const PpoTask task("small-corridor:start=0,step_limit=2");
  const ActorCritic<double> network = task.network<double>();
  Collector<double> plain(task.env(), 4, 1);
  Collector<double> bootstrapped(task.env(), 4, 1);
  const Rollout<double> without = plain.collect(network, 4, 0);
  const Rollout<double> with = bootstrapped.collect(network, 4, 0, 0.5);
  EXPECT_EQ(without.returns, with.returns);
  for (std::size_t i = 0; i < with.rewards.size(); ++i) {
    EXPECT_EQ(with.rewards[i] != without.rewards[i], with.ended[i] != 0);
  }
}

std::unique_ptr<VectorEnv> waiting(const PpoTask& task, double wasted) {
  std::vector<std::unique_ptr<VectorEnv>> walkers;
  for (std::uint64_t n = 0; n < 4; ++n) walkers.push_back(std::make_unique<TableEnv>(task.sampler, 1, n));
  return std::make_unique<testing::WaitingEnv>(std::move(walkers), wasted);
}

TEST(Collector, MarksStepsInWhichNothingHappenedAndCountsThemInNoEpisode) {
  const PpoTask task("small-corridor:start=0,step_limit=2");
  Collector<double> collector(waiting(task, 99), 6, 1);
  const Rollout<double> rollout = collector.collect(task.network<double>(), 6, 0);
  for (std::size_t i = 0; i < rollout.rewards.size(); ++i) {
    const bool third = i / 4 % 3 == 2;  // two steps, then one that begins the next episode
    EXPECT_EQ(rollout.skipped[i] != 0, third);
    EXPECT_EQ(rollout.rewards[i], third ? 0 : -1);
  }
  EXPECT_EQ(rollout.episodes, 8u);
  EXPECT_EQ(rollout.lengths, 16);
  EXPECT_EQ(rollout.returns, -16);
}

TEST(PpoTrainer, LearnsNothingFromStepsInWhichNothingHappened) {
  const PpoTask task("small-corridor");
  PpoTrainer<float> one = task.trainer<float>(waiting(task, 0));
  PpoTrainer<float> other = task.trainer<float>(waiting(task, 1e6));
  for (int i = 0; i < 5; ++i) {
    one.iterate();
    other.iterate();
  }
  EXPECT_EQ(weights(one.network()), weights(other.network()));
}

TEST(PpoTrainer, LockedWeightsKeepTheirBitsAndTheOthersLearn) {
  PpoTask task("small-corridor");
  task.ppo.total_timesteps = 20 * 512;
  const ActorCritic<float> first = task.network<float>();
  const LockedWeights locked{{"actor.conjunctions.weights", {0, 5, 9}}, {"actor.disjunctions.weights", {3}}};
  PpoTrainer<float> trainer(task.env(), first, task.ppo, task.losses, task.delta, task.harden, 5,
                            Constraints{locked});
  for (int i = 0; i < 10; ++i) trainer.iterate();
  PpoTrainer<float> resumed(task.env(), first, task.ppo, task.losses, task.delta, task.harden, 5);
  resumed.restore("state", trainer.state());  // which contains the locks
  for (int i = 0; i < 10; ++i) resumed.iterate();
  const auto& before = std::get<NeuralDnf<float>>(first.actor);
  const auto& after = std::get<NeuralDnf<float>>(resumed.network().actor);
  const auto unchanged = [](const Matrix<float>& a, const Matrix<float>& b) {
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      if (a.values()[i] == b.values()[i]) positions.push_back(i);
    }
    return positions;
  };
  EXPECT_EQ(unchanged(before.conjunctions, after.conjunctions), locked.at("actor.conjunctions.weights"));
  EXPECT_EQ(unchanged(before.disjunctions, after.disjunctions), locked.at("actor.disjunctions.weights"));
}

// With the 11 of the Blackjack preset they begin in the 12th minibatch, as in the authors' code.
TEST(PpoTrainer, LetsAuxiliaryLossesWaitForSoManyMinibatchesAtDeltaOne) {
  PpoTask task("small-corridor");
  task.ppo.num_minibatches = 4;
  task.ppo.update_epochs = 1;
  task.delta.initial = 1;
  task.losses.wait_for_delta = true;
  const auto first_iteration_with_losses = [&](std::int64_t wait) {
    task.losses.wait_minibatches = wait;
    PpoTrainer<float> trainer = task.trainer<float>(task.env());
    int iteration = 1;
    while (*trainer.iterate().loss_l4 == 0 && iteration < 10) ++iteration;
    return iteration;
  };
  EXPECT_EQ(first_iteration_with_losses(0), 1);
  EXPECT_EQ(first_iteration_with_losses(11), 3);  // whose last minibatch is the 12th
  EXPECT_EQ(first_iteration_with_losses(12), 4);
}

TEST(PpoTrainer, SaysInWhichIterationNumbersStoppedBeingFinite) {
  const PpoTask task("small-corridor");
  auto network = task.network<float>();
  network.critic->layers[0].W(0, 0) = std::numeric_limits<float>::quiet_NaN();
  PpoTrainer<float> trainer(task.env(), network, task.ppo, task.losses, task.delta, task.harden, 0);
  try {
    trainer.iterate();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("iteration 1: the gradient is NaN or infinite"));
  }
}

TEST(PpoTrainer, StopsAnIterationEarlyAtTheTargetKl) {
  PpoTask task("small-corridor");
  task.ppo.target_kl = 1e-12;
  PpoTrainer<float> cautious = task.trainer<float>(task.env());
  task.ppo.target_kl = 0;
  PpoTrainer<float> free = task.trainer<float>(task.env());
  cautious.iterate();
  free.iterate();
  EXPECT_NE(weights(cautious.network()), weights(free.network()));
}

TEST(PpoTrainer, SolvesTheSmallCorridorWithThePapersSettings) {
  PpoTask task("small-corridor");
  task.actor.conjunctions = 4;
  task.losses = {};
  task.losses.mt_lambda = 1e-3;
  task.delta = {};
  PpoTrainer<float> trainer = task.trainer<float>(task.env());
  IterationReport last;
  while (!trainer.done()) last = trainer.iterate();
  EXPECT_EQ(last.iteration, 195u);
  EXPECT_EQ(last.delta, 1.0);
  const FiniteModel& model = task.environment.model();
  const PolicyTable policy =
      tabulate(ActorPolicy(converted<double>(trainer.network()), 2), model.observations());
  EXPECT_EQ(evaluate_exactly(model, select(policy, Selection::parse("", "argmax"))).mean_return, -3);
}

TEST(PpoTrainer, LearnsFromNumbersWithoutAtoms) {
  const FiniteModel model = testing::number_corridor();
  const TransitionSampler sampler(model);
  ActorOptions actor;
  actor.model = "mlp";
  actor.init = "orthogonal";
  RandomSequence random(RandomStream(0, kFirstWeightsStream));
  const ActorCritic<double> network = build_network(model.observations(), actor, {}, {}, random);
  PpoOptions ppo;
  ppo.total_timesteps = 40'000;
  PpoTrainer<float> trainer(
      std::make_unique<TableEnv>(sampler, static_cast<std::size_t>(ppo.num_envs), kEnvironmentStream),
      converted<float>(network), ppo, {}, {}, {}, 5);
  while (!trainer.done()) trainer.iterate();
  const PolicyTable policy =
      tabulate(ActorPolicy(converted<double>(trainer.policy()), 2), model.observations());
  const PolicyTable best = select(policy, Selection::parse("", "argmax"));
  EXPECT_DOUBLE_EQ(evaluate_exactly(model, best).mean_return, -2);  // 1, 2 or 3 steps from either side
}

}  // namespace
}  // namespace ndnf
