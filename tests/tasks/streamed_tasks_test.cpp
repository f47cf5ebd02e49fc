// Tasks that are simulated, not enumerated.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "ndnf/optimum/optimum.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

/// Walks unless the car of the next lane arrives at the crossing.
class Careful final : public Policy {
 public:
  explicit Careful(std::uint32_t width) : width_(width) {}
  std::size_t action_count() const override { return 2; }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto values = table.values(ids[i]);
      const bool danger = values[1 + values[0]] == width_ / 2 - 1;
      rows[2 * i] = danger ? 1 : 0;
      rows[2 * i + 1] = danger ? 0 : 1;
    }
  }

 private:
  std::uint32_t width_;
};

TEST(Crossing, SmallRoadsAreEnumeratedAndLargeOnesAreNot) {
  EXPECT_TRUE(make_task("crossing").is_finite());
  const Task road = make_task("crossing:lanes=8,width=8");
  EXPECT_FALSE(road.is_finite());
  EXPECT_THROW(road.model(), Error);
  EXPECT_EQ(road.vocabulary->atom_count(), 8u + 64u);
  EXPECT_EQ(road.observations()->size(), 0u);
}

// In every lane the car arrives with probability 1 / width when the walker comes there, and costs one step.
TEST(Crossing, WaitingForCarsIsOptimal) {
  const Task small = make_task("crossing");
  const Optimum optimum = find_optimum(small.model());
  EXPECT_TRUE(optimum.best_return().proved());
  EXPECT_NEAR(optimum.best_return().found, -3 * (1 + 0.25), 1e-12);
  const PolicyTable careful = tabulate(Careful(4), small.model().observations());
  EXPECT_NEAR(evaluate_exactly(small.model(), careful).mean_return, optimum.best_return().found, 1e-12);

  const Task large = make_task("crossing:lanes=8,width=8");
  const Evaluation sampled =
      evaluate_by_simulation(large.environments, Careful(8), {}, {20000, 0, 1, nullptr});
  EXPECT_EQ(sampled.terminated, 1);
  EXPECT_NEAR(sampled.mean_return, -8 * (1 + 0.125), 4 * sampled.standard_error);
}

TEST(CartPole, HasNamedQuantitiesAndNoModel) {
  const Task task = make_task("cart-pole");
  EXPECT_FALSE(task.is_finite());
  std::vector<std::string> names;
  for (const Quantity& quantity : task.vocabulary->quantities()) names.push_back(quantity.name);
  EXPECT_THAT(names, ::testing::ElementsAre("position", "velocity", "angle", "spin"));
  EXPECT_EQ(task.vocabulary->quantities()[1].unit, "m/s");
  EXPECT_EQ(task.observations()->dense_size(), 4u);
}

/// One Euler step by the C library's functions, from float observations.
std::vector<double> euler(std::span<const float> from, ActionId action) {
  const double x = from[0], v = from[1], angle = from[2], spin = from[3];
  const double force = action == 1 ? 10 : -10;
  const double temp = (force + 0.05 * spin * spin * std::sin(angle)) / 1.1;
  const double turn = (9.8 * std::sin(angle) - std::cos(angle) * temp) /
                      (0.5 * (4.0 / 3.0 - 0.1 * std::cos(angle) * std::cos(angle) / 1.1));
  const double pull = temp - 0.05 * turn * std::cos(angle) / 1.1;
  return {x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * spin, spin + 0.02 * turn};
}

TEST(CartPole, FollowsItsEquationsUntilThePoleFalls) {
  const Task task = make_task("cart-pole");
  const auto env = task.environments(4, 0);
  env->keep(1);
  std::vector<ObsId> seen(4);
  std::ranges::copy(env->reset(1), seen.begin());
  std::vector<ActionId> actions(4);
  std::size_t falls = 0;
  for (int t = 0; t < 2000; ++t) {
    std::vector<std::vector<double>> expected;
    for (std::size_t n = 0; n < 4; ++n) {
      actions[n] = static_cast<ActionId>((t / 3 + static_cast<int>(n)) % 2);
      expected.push_back(euler(env->observations().dense(seen[n]), actions[n]));
    }
    const VectorStep step = env->step(actions);
    for (std::size_t n = 0; n < 4; ++n) {
      const auto arrived = env->observations().dense(step.arrived[n]);
      for (std::size_t q = 0; q < 4; ++q) ASSERT_NEAR(arrived[q], expected[n][q], 1e-5);
      EXPECT_EQ(step.rewards[n], 1);
      EXPECT_EQ(step.terminated[n] != 0, std::abs(arrived[0]) > 2.4f || std::abs(arrived[2]) > 0.20943951f);
      falls += step.terminated[n];
      seen[n] = step.observations[n];
      for (const float start : env->observations().dense(seen[n])) {
        if (step.terminated[n] != 0) {
          ASSERT_LE(std::abs(start), 0.05f);
        }
      }
    }
  }
  EXPECT_GT(falls, 20u);
}

TEST(CartPole, EpisodesAreTruncated) {
  const Task task = make_task("cart-pole:step_limit=5");
  const auto env = task.environments(1, 0);
  env->reset(0);
  for (int t = 1; t <= 20; ++t) {
    const VectorStep step = env->step(std::vector<ActionId>{static_cast<ActionId>(t % 2)});
    EXPECT_EQ(step.truncated[0] != 0, t % 5 == 0);
  }
}

}  // namespace
}  // namespace ndnf
