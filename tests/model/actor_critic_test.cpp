#include "ndnf/model/actor_critic.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "model/number_corridor.h"
#include "ndnf/base/error.h"
#include "ndnf/model/build.h"
#include "ndnf/tasks/registry.h"
#include "nn/golden.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using testing::close;
using testing::in_double;
using testing::is_gradient;
using testing::random_matrix;
using testing::weighted_sum;

ActorCritic<double> built(const ObservationTable& table, const ActorOptions& actor,
                          const EncoderOptions& encoder = {}) {
  CriticOptions critic;
  critic.hidden = {7};
  RandomSequence random(RandomStream(3, 0));
  ActorCritic<double> network = build_network(table, actor, critic, encoder, random);
  std::uint64_t seed = 50;  // biases too, so that every parameter matters
  visit_parameters(network, [&](const std::string&, Part, Matrix<double>& m) {
    if (m.rows() == 1) m = random_matrix(seed++, 1, m.cols());
  });
  return network;
}

std::vector<ObsId> all_of(const ObservationTable& table) {
  std::vector<ObsId> ids(table.size());
  for (ObsId id = 0; id < ids.size(); ++id) ids[id] = id;
  return ids;
}

std::map<std::string, Matrix<double>*> parameters_of(ActorCritic<double>& network) {
  std::map<std::string, Matrix<double>*> parameters;
  visit_parameters(network, [&](const std::string& name, Part, Matrix<double>& m) { parameters[name] = &m; });
  return parameters;
}

/// Checks backward for every parameter, with gradients at every output.
void expect_gradients(ActorCritic<double> network, const ObservationTable& table) {
  const std::vector<ObsId> ids = all_of(table);
  Batch<double> batch;
  gather(table, ids, network, batch);
  Activations<double> a;
  forward_actor(network, batch, a);
  OutputGradients<double> R;
  R.raw = random_matrix(1, ids.size(), table.vocabulary().action_count());
  R.values = random_matrix(2, ids.size(), 1);
  if (a.dnf.c.size() > 0) R.conjunctions = random_matrix(3, a.dnf.c.rows(), a.dnf.c.cols());
  if (has_encoder(network.encoder)) R.features = random_matrix(4, a.encoder.f.rows(), a.encoder.f.cols());
  const auto loss = [&] {
    double sum = weighted_sum(forward_actor(network, batch, a), R.raw);
    sum += weighted_sum(forward_critic(network, batch, a), R.values);
    return sum + weighted_sum(R.conjunctions, a.dnf.c) + weighted_sum(R.features, a.encoder.f);
  };
  loss();
  ActorCritic<double> gradient = zeros_like(network);
  backward(network, batch, a, R, gradient);
  const auto gradients = parameters_of(gradient);
  for (const auto& [name, parameter] : parameters_of(network)) {
    EXPECT_TRUE(is_gradient(*gradients.at(name), *parameter, loss)) << name;
  }
}

ActorOptions actor_options(const std::string& model) {
  ActorOptions actor;
  actor.model = model;
  actor.conjunctions = 3;
  actor.hidden = {5};
  actor.init_std = 1;
  return actor;
}

EncoderOptions small_encoder() {
  EncoderOptions encoder;
  encoder.model = "conv-1x1";
  encoder.channels = 2;
  encoder.outputs = 4;
  return encoder;
}

TEST(ActorCriticBackward, MatchesFiniteDifferencesOnAtoms) {
  const Task corridor = make_task("small-corridor");
  for (const std::string model : {"ndnf-mt", "ndnf-eo", "mlp"}) {
    SCOPED_TRACE(model);
    expect_gradients(built(corridor.model().observations(), actor_options(model)),
                     corridor.model().observations());
  }
}

TEST(ActorCriticBackward, MatchesFiniteDifferencesOnNumbers) {
  const FiniteModel corridor = testing::number_corridor();
  const ActorCritic<double> network = built(corridor.observations(), actor_options("mlp"));
  EXPECT_EQ(std::get<Mlp<double>>(network.actor).layers[0].W.rows(), 4u);
  EXPECT_EQ(network.critic->layers[0].W.rows(), 4u);
  expect_gradients(network, corridor.observations());
}

TEST(ActorCriticBackward, MatchesFiniteDifferencesWithATableOfValues) {
  for (const char* name : {"small-corridor", "door-corridor"}) {
    const Task environment = make_task(name);
    const ObservationTable& table = environment.model().observations();
    const bool images = table.dense_size() > 0;
    ActorCritic<double> network =
        built(table, actor_options("ndnf-mt"), images ? small_encoder() : EncoderOptions{});
    if (images) {
      for (double& w : std::get<Convolution<double>>(network.encoder).kernel.values()) w *= 0.1;
    }
    network.critic = Mlp<double>{{{random_matrix(9, table.size(), 1), {}}}, Activation::kTanh};
    network.critic_by_id = true;
    expect_gradients(network, table);
  }
}

TEST(ActorCriticBackward, MatchesFiniteDifferencesThroughASharedEncoder) {
  const Task doors = make_task("door-corridor");
  const ObservationTable& table = doors.model().observations();
  for (const std::string model : {"ndnf-mt", "mlp"}) {
    SCOPED_TRACE(model);
    ActorCritic<double> network = built(table, actor_options(model), small_encoder());
    for (double& w : std::get<Convolution<double>>(network.encoder).kernel.values())
      w *= 0.1;  // raw integers up to 10: avoid saturating tanh
    expect_gradients(network, table);
  }
}

TEST(ActorCriticBackward, CountsEmptySlopesAsZero) {
  const Task doors = make_task("door-corridor");
  const ObservationTable& table = doors.model().observations();
  const ActorCritic<double> network = built(table, actor_options("ndnf-mt"), small_encoder());
  Batch<double> batch;
  gather(table, all_of(table), network, batch);
  Activations<double> a;
  OutputGradients<double> sparse;
  sparse.raw = random_matrix(1, table.size(), table.vocabulary().action_count());
  OutputGradients<double> full = sparse;
  forward_actor(network, batch, a);
  forward_critic(network, batch, a);
  full.values = Matrix<double>(table.size(), 1);
  full.conjunctions = Matrix<double>(table.size(), 3);
  full.features = Matrix<double>(table.size(), 4);
  ActorCritic<double> first = zeros_like(network);
  ActorCritic<double> second = zeros_like(network);
  backward(network, batch, a, sparse, first);
  backward(network, batch, a, full, second);
  const auto expected = parameters_of(second);
  for (const auto& [name, gradients] : parameters_of(first))
    EXPECT_TRUE(close(*gradients, *expected.at(name))) << name;
}

TEST(Parameters, HaveTheNamesOfTheReference) {
  const Task doors = make_task("door-corridor");
  ActorCritic<double> network =
      built(doors.model().observations(), actor_options("ndnf-mt"), small_encoder());
  std::vector<std::string> names;
  std::vector<Part> parts;
  visit_parameters(network, [&](const std::string& name, Part part, const Matrix<double>&) {
    names.push_back(name);
    parts.push_back(part);
  });
  EXPECT_EQ(names, (std::vector<std::string>{
                       "image_encoder.0.weight", "image_encoder.0.bias", "extra_layer.0.weight",
                       "extra_layer.0.bias", "actor.conjunctions.weights", "actor.disjunctions.weights",
                       "critic.0.weight", "critic.0.bias", "critic.2.weight", "critic.2.bias"}));
  EXPECT_EQ(parts,
            (std::vector<Part>{Part::kEncoder, Part::kEncoder, Part::kEncoder, Part::kEncoder, Part::kActor,
                               Part::kActor, Part::kCritic, Part::kCritic, Part::kCritic, Part::kCritic}));
}

TEST(Parameters, LeaveOutAbsentBiases) {
  const Task corridor = make_task("small-corridor");
  ActorOptions actor = actor_options("mlp");
  actor.bias = false;
  ActorCritic<double> network = built(corridor.model().observations(), actor);
  const auto parameters = parameters_of(network);
  EXPECT_EQ(parameters.count("actor.0.weight"), 1u);
  EXPECT_EQ(parameters.count("actor.2.weight"), 1u);
  EXPECT_EQ(parameters.count("actor.0.bias"), 0u);
  EXPECT_EQ(parameters.size(), 2u + 4u);
}

TEST(Converted, KeepsEverythingButTheDigits) {
  const Task doors = make_task("door-corridor");
  const ObservationTable& table = doors.model().observations();
  for (const std::string model : {"ndnf-eo", "mlp"}) {
    ActorCritic<double> network = built(table, actor_options(model), small_encoder());
    network.falsehood = 0;
    if (auto* dnf = std::get_if<NeuralDnf<double>>(&network.actor)) {
      dnf->delta = 0.25;
      dnf->bias = BiasType::kMin;
    }
    const ActorCritic<float> single = converted<float>(network);
    ActorCritic<double> back = converted<double>(single);
    EXPECT_EQ(back.falsehood, 0);
    const auto originals = parameters_of(network);
    for (const auto& [name, m] : parameters_of(back)) {
      EXPECT_TRUE(close(*m, *originals.at(name), 1e-7)) << name;
      EXPECT_FALSE(close(*m, *originals.at(name), 0)) << name;
    }
    Batch<double> batch;
    Batch<float> single_batch;
    gather(table, all_of(table), network, batch);
    gather(table, all_of(table), single, single_batch);
    Activations<double> a;
    Activations<float> b;
    forward_actor(network, batch, a);
    forward_actor(single, single_batch, b);
    EXPECT_TRUE(close(b.p, a.p));
    EXPECT_TRUE(close(forward_critic(single, single_batch, b), in_double(forward_critic(network, batch, a))));
  }
}

TEST(ZerosLike, HasTheSameShapesAndOnlyZeros) {
  const Task corridor = make_task("small-corridor");
  ActorCritic<double> network = built(corridor.model().observations(), actor_options("ndnf-mt"));
  ActorCritic<double> zeros = zeros_like(network);
  const auto originals = parameters_of(network);
  for (const auto& [name, m] : parameters_of(zeros)) {
    EXPECT_TRUE(close(*m, Matrix<double>(originals.at(name)->rows(), originals.at(name)->cols()), 0)) << name;
  }
  set_zero(network);
  for (const auto& [name, m] : originals)
    EXPECT_TRUE(close(*m, Matrix<double>(m->rows(), m->cols()), 0)) << name;
}

TEST(Gather, RefusesWhatATableOfValuesDoesNotKnow) {
  const Task corridor = make_task("small-corridor");
  ActorCritic<double> network = built(corridor.model().observations(), actor_options("ndnf-mt"));
  network.critic = Mlp<double>{{{Matrix<double>(1, 1), {}}}, Activation::kTanh};
  network.critic_by_id = true;
  Batch<double> batch;
  EXPECT_NO_THROW(gather(corridor.model().observations(), std::vector<ObsId>{0}, network, batch));
  EXPECT_THROW(gather(corridor.model().observations(), std::vector<ObsId>{1}, network, batch), Error);
}

TEST(Gather, ReadsTheAtomsInTheNetworksCoding) {
  const Task blackjack = make_task("blackjack");
  const ObservationTable& table = blackjack.model().observations();
  ActorCritic<double> network = built(table, actor_options("mlp"));
  const std::vector<ObsId> ids = {5, 0, 5, static_cast<ObsId>(table.size() - 1)};
  for (const double falsehood : {-1.0, 0.0}) {
    network.falsehood = falsehood;
    Batch<double> batch;
    gather(table, ids, network, batch);
    ASSERT_EQ(batch.atoms.rows(), ids.size());
    EXPECT_EQ(batch.atoms.falsehood, falsehood);
    for (std::size_t b = 0; b < ids.size(); ++b) {
      const auto row = batch.atoms.row(b);
      EXPECT_EQ(std::vector<AtomId>(row.begin(), row.end()), table.facts(ids[b]));
    }
  }
}

TEST(Gather, ReadsTheNumbersAsTheyAre) {
  const FiniteModel corridor = testing::number_corridor();
  const ObservationTable& table = corridor.observations();
  Batch<double> batch;
  gather(table, std::vector<ObsId>{6, 0}, built(table, actor_options("mlp")), batch);
  ASSERT_EQ(batch.numbers.rows(), 2u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(batch.numbers(0, i), table.dense(6)[i]);
    EXPECT_EQ(batch.numbers(1, i), table.dense(0)[i]);
  }
}

TEST(DnfPolicy, IsThePolicyOfANetworkWithThatActor) {
  const Task blackjack = make_task("blackjack");
  const ObservationTable& table = blackjack.model().observations();
  for (const std::string model : {"ndnf-mt", "ndnf-eo"}) {
    const ActorCritic<double> network = built(table, actor_options(model));
    const ActionMask mask(2, std::vector<std::uint64_t>(table.size(), 1));
    const std::vector<const ActionMask*> masks = {nullptr, &mask};
    for (const ActionMask* allowed : masks) {
      const DnfPolicy policy(std::get<NeuralDnf<double>>(network.actor), allowed);
      const PolicyTable ours = tabulate(policy, table);
      const PolicyTable theirs = tabulate(ActorPolicy(network, 2, allowed), table);
      for (ObsId obs = 0; obs < table.size(); ++obs) {
        EXPECT_THAT(ours.row(obs), ::testing::ElementsAreArray(theirs.row(obs)));
      }
    }
  }
}

TEST(ActorPolicy, GivesAProbabilityToEveryAction) {
  const Task taxi = make_task("taxi:factored");
  const ObservationTable& table = taxi.model().observations();
  const ActorPolicy policy(built(table, actor_options("ndnf-mt")), table.vocabulary().action_count());
  const PolicyTable rows = tabulate(policy, table);
  ASSERT_EQ(rows.size(), table.size());
  EXPECT_EQ(rows.action_count(), 6u);
  for (ObsId obs = 0; obs < rows.size(); ++obs) EXPECT_TRUE(rows.defined(obs));
}

}  // namespace
}  // namespace ndnf
