#include "ndnf/rules/teaching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ndnf/model/build.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

constexpr std::uint64_t kFirst = 8192;

/// PPO with few steps, in a task of which it learns much or nothing.
class SmallTeaching {
 public:
  explicit SmallTeaching(const std::string& spec) : task_(make_task(spec)) {
    source_.steps = kFirst;
    source_.train = [task = task_](std::uint64_t attempt, std::uint64_t steps) {
      PpoOptions ppo;
      ppo.total_timesteps = static_cast<std::int64_t>(steps);
      ppo.num_steps = 128;
      ppo.gamma = 0.99;
      ppo.ent_coef = 0.01;
      ActorOptions actor;
      actor.model = "mlp";
      actor.hidden = {16};
      RandomSequence random(RandomStream(attempt, 1));
      return std::make_unique<PpoTrainer<float>>(
          task.environments(static_cast<std::size_t>(ppo.num_envs), 0),
          converted<float>(build_network(*task.observations(), actor, {}, {}, random)), ppo, LossOptions{},
          DeltaOptions{}, HardenOptions{}, attempt);
    };
    source_.policy = [count = task_.vocabulary->action_count()](const ActorCritic<float>& network) {
      return std::make_shared<const ActorPolicy>(converted<double>(network), count);
    };
  }

  Teaching teaching(std::size_t attempts) const { return {source_, attempts, 16 * kFirst}; }
  Player player(double discount = 1) const {
    return Player(
        {task_.environments,
         std::make_shared<const Features>(task_.spec, task_.vocabulary, task_.observations()->dense_size()),
         discount, 1});
  }

 private:
  Task task_;
  TeacherSource source_;
};

void finish(Teaching& teaching, Player player) {
  while (!teaching.done()) teaching.advance(player, 3);
}

TEST(Teaching, IsNotTrustedWithoutACurveThatCouldBeJudged) {
  EXPECT_THAT(why_poor({}, -500), ::testing::HasSubstr("cannot be judged"));
  EXPECT_THAT(why_poor(std::vector<double>{-500, -500, -500}, -500),
              ::testing::HasSubstr("cannot be judged"));
  EXPECT_EQ(why_poor(std::vector<double>{-500, -300, -100, -100, -100}, -100), "");
}

TEST(Teaching, IsJudgedByReturnsOfTheKindThatItsCurveHas) {
  const SmallTeaching small("cart-pole");  // 500 steps, of which a discount of 0.5 leaves 2
  Teaching teaching = small.teaching(3);
  finish(teaching, small.player(0.5));
  EXPECT_THAT(teaching.warning(), ::testing::Not(::testing::HasSubstr("with its best actions")));
}

TEST(Teaching, LearnsOnWithTheSameNetworkWhileThatHelps) {
  const SmallTeaching small("cart-pole:step_limit=200");
  Teaching teaching = small.teaching(2);
  finish(teaching, small.player());
  EXPECT_EQ(teaching.steps(), 2 * kFirst) << "the second attempt contains the first";
  EXPECT_TRUE(teaching.network().has_value());
}

TEST(Teaching, StartsAnewWithTwiceTheStepsIfItHasLearnedNothing) {
  const SmallTeaching small("mountain-car");
  Teaching teaching = small.teaching(2);
  finish(teaching, small.player());
  EXPECT_EQ(teaching.steps(), kFirst + 2 * kFirst);
  EXPECT_THAT(teaching.warning(), ::testing::HasSubstr("learned nothing"));
}

TEST(Teaching, ResumedAfterAnyAttemptItEndsAsIfItHadNotStopped) {
  const SmallTeaching small("cart-pole:step_limit=200");
  Teaching whole = small.teaching(2);
  Player player = small.player();
  TensorFile middle;
  while (!whole.done()) {
    whole.advance(player, 3);
    if (whole.steps() <= kFirst + kFirst / 2) {
      middle = {};
      whole.save(middle);
    }
  }
  Teaching resumed = small.teaching(2);
  resumed.restore("state", middle);
  EXPECT_GT(resumed.steps(), kFirst);
  finish(resumed, small.player());
  TensorFile end;
  TensorFile resumed_end;
  whole.save(end);
  resumed.save(resumed_end);
  EXPECT_EQ(resumed_end, end);
}

}  // namespace
}  // namespace ndnf
