#include <cmath>

#include <gtest/gtest.h>

#include "ndnf/extract/extraction.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// Goes left with probability 0.004 in every observation of the Small Corridor, by one conjunction that is
/// always true.
Checkpoint rarely_left(const FiniteModel& model) {
  NeuralDnf<float> dnf;
  dnf.conjunctions = Matrix<float>(4, 1);
  dnf.conjunctions(3, 0) = -6;  // not in_s_3, which is the goal
  dnf.disjunctions = Matrix<float>(1, 2);
  dnf.disjunctions(0, 1) = static_cast<float>(std::log(0.996 / 0.004) / 2);
  dnf.disjunctions(0, 0) = -dnf.disjunctions(0, 1);
  ActorCritic<float> network;
  network.actor = dnf;
  Checkpoint checkpoint;
  checkpoint.model = "ndnf-mt";
  checkpoint.policy = network;
  checkpoint.vocabulary = model.observations().shared_vocabulary();
  return checkpoint;
}

/// The one attempt of `method`, within 0.01 of the network.
Attempt extracted(const std::string& method, const FiniteModel& model, const ActionMask* mask) {
  ExtractionOptions options;
  options.method = method;
  options.as = Syntax::kProbLog;
  options.epsilon = 0.01;
  const Checkpoint checkpoint = rarely_left(model);
  return extract(make_subject(checkpoint, model, mask), model, options).best();
}

// An action that a shield forbids is not merely improbable: a program that takes it once in 250 times is
// within epsilon of the network, but not faithful to it.
TEST(ImpossibleActions, ThatAProgramMayTakeMakeItUnfaithful) {
  const FiniteModel model = make_task("small-corridor").model();
  const ActionMask right(2, std::vector<std::uint64_t>(model.observations().size(), 0b10));
  const Attempt free = extracted("disentangle", model, nullptr);
  EXPECT_TRUE(free.faithful());
  const Attempt shielded = extracted("disentangle", model, &right);
  ASSERT_TRUE(shielded.program);
  EXPECT_NEAR(shielded.reachable.max_dp, 0.004, 5e-4);
  EXPECT_TRUE(shielded.reachable.exactly_one);
  EXPECT_FALSE(shielded.faithful());
  const Attempt kept = extracted("classes", model, &right);
  EXPECT_TRUE(kept.faithful());
  EXPECT_EQ(kept.reachable.max_dp, 0);
}

}  // namespace
}  // namespace ndnf
