#include "ndnf/train/distill.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "ndnf/mdp/reachability.h"
#include "ndnf/model/build.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// Small Corridor with its optimal policy as the teacher.
class Lesson {
 public:
  template <class S>
  DistillTrainer<S> trainer(ActorOptions actor, const DistillOptions& options,
                            const LossOptions& losses = {}) const {
    const FiniteModel& model = environment_.model();
    RandomSequence random(RandomStream(4, 1));
    ActorCritic<double> student = build_network(model.observations(), actor, {}, {}, random);
    student.critic.reset();
    return {model.observations(),
            reachable(model).observations,
            find_optimum(model).policy,
            converted<S>(student),
            options,
            losses,
            {0.1, 10, 5, 1.2},
            {},
            4};
  }

 private:
  const Task environment_ = make_task("small-corridor");
};

DistillOptions epochs(std::int64_t count, double rate) { return {"", 2, count, rate, 1e-8, "reachable"}; }

ActorOptions mlp() {
  ActorOptions options;
  options.model = "mlp";
  options.init = "unit-rows";
  return options;
}

/// All network weights 0: every action is equally likely, with a divergence of log 2 from a deterministic
/// teacher.
TEST(Distill, DivergenceOfAnUndecidedStudentIsLogTwo) {
  ActorOptions actor;
  actor.init_std = 0;
  const Lesson lesson;
  auto trainer = lesson.trainer<double>(actor, epochs(1, 0));
  const IterationReport report = trainer.iterate();
  EXPECT_NEAR(*report.distillation_loss, std::log(2), 1e-7);
  EXPECT_EQ(report.steps, 3u);
  EXPECT_TRUE(trainer.done());
}

TEST(Distill, AnMlpLearnsTheTeacher) {
  const Lesson lesson;
  auto trainer = lesson.trainer<float>(mlp(), epochs(300, 1e-2));
  IterationReport report;
  while (!trainer.done()) report = trainer.iterate();
  EXPECT_LT(*report.distillation_loss, 1e-2);
  EXPECT_FALSE(report.delta);
}

TEST(Distill, ANeuralDnfLearnsTheTeacherWhileDeltaGrows) {
  LossOptions losses;
  losses.conj_tanh_out_reg_lambda = 1e-3;
  losses.dis_weight_reg_lambda = 1e-4;
  losses.dis_weight_reg_on = "all";
  const Lesson lesson;
  auto trainer = lesson.trainer<float>({}, epochs(500, 1e-2), losses);
  const IterationReport first = trainer.iterate();
  EXPECT_EQ(*first.delta, 0.1);
  IterationReport last;
  while (!trainer.done()) last = trainer.iterate();
  EXPECT_EQ(*last.delta, 1);
  EXPECT_LT(*last.distillation_loss, 0.1);
  EXPECT_LT(*last.loss_l3, *first.loss_l3);
}

TEST(Distill, ARestoredTrainingGoesOnAsIfNothingHadHappened) {
  const Lesson lesson;
  auto whole = lesson.trainer<float>({}, epochs(60, 1e-2));
  for (int i = 0; i < 25; ++i) whole.iterate();
  auto restored = lesson.trainer<float>({}, epochs(60, 1e-2));
  restored.restore("state", whole.state());
  while (!whole.done()) whole.iterate();
  while (!restored.done()) restored.iterate();
  const TensorFile a = whole.state();
  const TensorFile b = restored.state();
  for (const auto& [name, tensor] : a.tensors) EXPECT_EQ(tensor.bytes, b.tensors.at(name).bytes) << name;
}

}  // namespace
}  // namespace ndnf
