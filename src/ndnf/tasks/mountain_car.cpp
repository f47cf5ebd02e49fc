#include "ndnf/tasks/mountain_car.h"

#include <algorithm>
#include <memory>
#include <string>

#include "ndnf/base/elementary.h"
#include "ndnf/simulation/streamed_env.h"
#include "ndnf/tasks/control_drawing.h"

// A car in a valley that is too weak to climb the hill at once (Moore, 1990), with the constants of
// Gymnasium's MountainCar-v0 and, with five forces instead of any number from -1 to 1, of
// MountainCarContinuous-v0. The cosine is our own, so that training gives the same bytes everywhere.

namespace ndnf {
namespace {

constexpr double kLeft = -1.2;
constexpr double kRight = 0.6;
constexpr double kMostSpeed = 0.07;
constexpr double kGravity = 0.0025;

/// What the two tasks differ in.
struct Engine {
  std::vector<std::string> actions;
  std::vector<double> forces;  ///< One per action.
  double power = 0;            ///< The acceleration by a force of 1.
  double goal = 0;             ///< The position that ends an episode.
  double step_reward = 0;
  double force_cost = 0;  ///< Of the square of the force, in each step.
  double goal_reward = 0;
};

Engine plain_engine() { return {{"left", "coast", "right"}, {-1, 0, 1}, 0.001, 0.5, -1, 0, 0}; }

Engine graded_engine() {
  return {{"full_left", "half_left", "coast", "half_right", "full_right"},
          {-1, -0.5, 0, 0.5, 1},
          0.0015,
          0.45,
          0,
          0.1,
          100};
}

class MountainCar {
 public:
  struct State {
    double position = 0;
    double velocity = 0;
  };

  MountainCar(Engine engine, std::size_t step_limit)
      : engine_(std::move(engine)),
        vocabulary_(std::make_shared<const Vocabulary>(
            std::vector<AtomGroup>{}, engine_.actions,
            std::vector<Quantity>{quantity("position", "", kLeft, kRight, 0.001),
                                  quantity("velocity", "", -kMostSpeed, kMostSpeed, 0.0001)})),
        step_limit_(step_limit) {}

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return step_limit_; }

  State start(RandomSequence& random) const { return {-0.6 + 0.2 * random.uniform(), 0}; }

  WorldStep step(State& state, ActionId action, RandomSequence&) const {
    const double force = engine_.forces[action];
    state.velocity += force * engine_.power + cosine(3 * state.position) * -kGravity;
    state.velocity = std::clamp(state.velocity, -kMostSpeed, kMostSpeed);
    state.position = std::clamp(state.position + state.velocity, kLeft, kRight);
    if (state.position == kLeft && state.velocity < 0) state.velocity = 0;
    const bool arrived = state.position >= engine_.goal && state.velocity >= 0;
    const double reward = engine_.step_reward + (arrived ? engine_.goal_reward : 0);
    return {reward - engine_.force_cost * force * force, arrived};
  }

  void observe(const State& state, std::span<std::uint32_t>, std::span<float> dense) const {
    dense[0] = static_cast<float>(state.position);
    dense[1] = static_cast<float>(state.velocity);
  }

  /// Whether an unfinished episode may be in this state.
  bool is_valid(const State& state) const {
    return state.position >= kLeft && state.position <= kRight && std::abs(state.velocity) <= kMostSpeed;
  }

 private:
  Engine engine_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  std::size_t step_limit_;
};

struct Params {
  std::int64_t step_limit = 0;
};

TaskKind kind(const std::string& name, const std::string& summary, std::int64_t step_limit,
              Engine (*engine)()) {
  ConfigTable<Params> table(Params{step_limit});
  table.integer("step_limit", &Params::step_limit, 1, 1000000, "Steps after which an episode is truncated.");
  return task_kind(name, summary, std::move(table), [engine](std::string_view, const Params& params) {
    const Engine made = engine();
    return streamed_task(
        std::make_shared<const MountainCar>(made, static_cast<std::size_t>(params.step_limit)),
        [goal = made.goal](std::span<const float> numbers) { return draw_mountain_car(numbers, goal); });
  });
}

}  // namespace

std::vector<TaskKind> mountain_car_kinds() {
  return {
      kind("mountain-car", "Swing a weak car out of a valley in as few steps as possible.", 200,
           plain_engine),
      kind("mountain-car-graded", "The same with five forces, which cost their square.", 999, graded_engine)};
}

}  // namespace ndnf
