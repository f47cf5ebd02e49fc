#include <gmock/gmock.h>

#include "ndnf/model/build.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/train/ppo.h"
#include "ndnf/train/streams.h"

namespace ndnf {
namespace {

/// Eight iterations, of which the last four are hard.
PpoTrainer<float> pole_trainer(const Task& task) {
  PpoOptions ppo;
  ppo.num_envs = 4;
  ppo.num_steps = 64;
  ppo.total_timesteps = 8 * 256;
  ppo.scale_inputs = ppo.scale_rewards = true;
  HardenOptions harden{20, 0.1, 0.4, 0.5};
  DeltaOptions delta;
  delta.initial = 1;
  ActorOptions actor;
  actor.init = "sparse";
  actor.conjunctions = 6;
  EncoderOptions encoder;
  encoder.model = "thresholds";
  encoder.linear = 2;
  RandomSequence random(RandomStream(1, 0));
  const ActorCritic<double> network = build_network(*task.observations(), actor, {}, encoder, random);
  return PpoTrainer<float>(task.environments(4, kEnvironmentStream), converted<float>(network), ppo, {},
                           delta, harden, 1);
}

std::string bytes_of(const PpoTrainer<float>& trainer, const Task& task) {
  Checkpoint checkpoint;
  checkpoint.model = "ndnf-mt";
  checkpoint.policy = trainer.policy();
  checkpoint.vocabulary = task.vocabulary;
  checkpoint.env = task.spec;
  checkpoint.extract_as = "asp";
  return to_bytes(checkpoint);
}

void iterate(PpoTrainer<float>& trainer, int count) {
  for (int i = 0; i < count; ++i) trainer.iterate();
}

TEST(ThresholdTraining, GoesOnFromASavedStateAsIfItHadNotBeenStopped) {
  const Task task = make_task("cart-pole");
  PpoTrainer<float> whole = pole_trainer(task);
  iterate(whole, 8);
  ASSERT_TRUE(whole.done());
  for (const int first : {2, 6}) {  // while atoms are soft, and after
    PpoTrainer<float> stopped = pole_trainer(task);
    iterate(stopped, first);
    PpoTrainer<float> resumed = pole_trainer(task);
    resumed.restore("state", stopped.state());
    iterate(resumed, 8 - first);
    EXPECT_EQ(bytes_of(resumed, task), bytes_of(whole, task)) << first;
  }
}

TEST(ThresholdTraining, HardAtomsAndConjunctionsNoLongerChange) {
  const Task task = make_task("cart-pole");
  PpoTrainer<float> trainer = pole_trainer(task);
  iterate(trainer, 4);
  const auto soft = std::get<Thresholds<float>>(trainer.network().encoder);
  EXPECT_FALSE(soft.hard);
  trainer.iterate();
  const auto dnf = std::get<NeuralDnf<float>>(trainer.network().actor);
  ASSERT_TRUE(std::get<Thresholds<float>>(trainer.network().encoder).hard);
  EXPECT_EQ(dnf.activation, Activation::kStep);
  trainer.iterate();
  const auto& later = std::get<NeuralDnf<float>>(trainer.network().actor);
  EXPECT_THAT(later.conjunctions.values(), ::testing::ElementsAreArray(dnf.conjunctions.values()));
  EXPECT_THAT(std::get<Thresholds<float>>(trainer.network().encoder).bounds.values(),
              ::testing::ElementsAreArray(soft.bounds.values()));
  EXPECT_THAT(later.disjunctions.values(),
              ::testing::Not(::testing::ElementsAreArray(dnf.disjunctions.values())));
}

}  // namespace
}  // namespace ndnf
