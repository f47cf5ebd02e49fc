#include "ndnf/tasks/pendulum.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ndnf/base/elementary.h"
#include "ndnf/simulation/streamed_env.h"
#include "ndnf/tasks/control_drawing.h"

// A pendulum to be swung up and held upright by a weak motor, with the constants of Gymnasium's Pendulum-v1
// and five torques instead of any number from -2 to 2. Sine and cosine are our own, so that training gives
// the same bytes everywhere.

namespace ndnf {
namespace {

struct Params {
  std::int64_t step_limit = 200;
};

constexpr double kPi = 3.14159265358979323846;
constexpr double kSeconds = 0.05;
constexpr double kGravity = 10;
constexpr double kMostSpin = 8;
constexpr double kMostAngle = 1e4;  // of an episode within the largest step limit, it stays far below

class Pendulum {
 public:
  struct State {
    double angle = 0;  ///< 0: upright.
    double spin = 0;
  };

  explicit Pendulum(const Params& params)
      : vocabulary_(std::make_shared<const Vocabulary>(
            std::vector<AtomGroup>{},
            std::vector<std::string>{"hard_clockwise", "clockwise", "none", "counterclockwise",
                                     "hard_counterclockwise"},
            std::vector<Quantity>{quantity("cos_angle", "", -1, 1, 0.001),
                                  quantity("sin_angle", "", -1, 1, 0.001),
                                  quantity("spin", "rad/s", -kMostSpin, kMostSpin, 0.01)})),
        step_limit_(static_cast<std::size_t>(params.step_limit)) {}

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return step_limit_; }

  State start(RandomSequence& random) const {
    const double angle = -kPi + 2 * kPi * random.uniform();
    return {angle, -1 + 2 * random.uniform()};
  }

  WorldStep step(State& state, ActionId action, RandomSequence&) const {
    const double torque = static_cast<double>(action) - 2;
    const double off = normalised(state.angle);
    const double cost = off * off + 0.1 * (state.spin * state.spin) + 0.001 * (torque * torque);
    state.spin += (3 * kGravity / 2 * sine(state.angle) + 3 * torque) * kSeconds;
    state.spin = std::clamp(state.spin, -kMostSpin, kMostSpin);
    state.angle += state.spin * kSeconds;
    return {-cost, false};
  }

  void observe(const State& state, std::span<std::uint32_t>, std::span<float> dense) const {
    dense[0] = static_cast<float>(cosine(state.angle));
    dense[1] = static_cast<float>(sine(state.angle));
    dense[2] = static_cast<float>(state.spin);
  }

  /// Whether an unfinished episode may be in this state.
  bool is_valid(const State& state) const {
    return std::abs(state.angle) <= kMostAngle && std::abs(state.spin) <= kMostSpin;
  }

 private:
  /// The same angle from -π to π.
  static double normalised(double angle) {
    const double turned = std::fmod(angle + kPi, 2 * kPi);
    return (turned < 0 ? turned + 2 * kPi : turned) - kPi;
  }

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::size_t step_limit_;
};

}  // namespace

std::vector<TaskKind> pendulum_kinds() {
  ConfigTable<Params> table;
  table.integer("step_limit", &Params::step_limit, 1, 10000, "Steps after which an episode is truncated.");
  return {task_kind("pendulum",
                    std::string("Swing a pendulum up and hold it upright, by a motor with five torques."),
                    std::move(table), [](std::string_view, const Params& params) {
                      return streamed_task(std::make_shared<const Pendulum>(params), draw_pendulum);
                    })};
}

}  // namespace ndnf
