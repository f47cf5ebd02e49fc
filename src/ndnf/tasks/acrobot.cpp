#include "ndnf/tasks/acrobot.h"

#include <array>
#include <cmath>
#include <memory>

#include "ndnf/base/elementary.h"
#include "ndnf/simulation/streamed_env.h"
#include "ndnf/tasks/control_drawing.h"

// A double pendulum with a motor at its elbow (Sutton, 1996), with the constants and the integrator of
// Gymnasium's Acrobot-v1: swing the foot above a line. Sine and cosine are our own, so that training gives
// the same bytes everywhere.

namespace ndnf {
namespace {

struct Params {
  std::int64_t step_limit = 500;
};

constexpr double kPi = 3.14159265358979323846;
constexpr double kSeconds = 0.2;
constexpr double kGravity = 9.8;
constexpr double kCentre = 0.5;  // of a link; lengths, masses and moments of inertia are 1
constexpr double kMostUpperSpin = 4 * kPi;
constexpr double kMostLowerSpin = 9 * kPi;

class Acrobot {
 public:
  /// The angles of the upper link (0: hanging) and of the lower one to it, and their speeds.
  using State = std::array<double, 4>;

  explicit Acrobot(const Params& params)
      : vocabulary_(std::make_shared<const Vocabulary>(
            std::vector<AtomGroup>{}, std::vector<std::string>{"negative", "none", "positive"},
            std::vector<Quantity>{
                quantity("cos_upper", "", -1, 1, 0.001), quantity("sin_upper", "", -1, 1, 0.001),
                quantity("cos_lower", "", -1, 1, 0.001), quantity("sin_lower", "", -1, 1, 0.001),
                quantity("spin_upper", "rad/s", -kMostUpperSpin, kMostUpperSpin, 0.01),
                quantity("spin_lower", "rad/s", -kMostLowerSpin, kMostLowerSpin, 0.01)})),
        step_limit_(static_cast<std::size_t>(params.step_limit)) {}

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return step_limit_; }

  /// In single precision, as Gymnasium starts.
  State start(RandomSequence& random) const {
    State state;
    for (double& number : state) number = static_cast<float>(-0.1 + 0.2 * random.uniform());
    return state;
  }

  WorldStep step(State& state, ActionId action, RandomSequence&) const {
    state = after(state, static_cast<double>(action) - 1);
    state[0] = wrapped(state[0]);
    state[1] = wrapped(state[1]);
    state[2] = std::clamp(state[2], -kMostUpperSpin, kMostUpperSpin);
    state[3] = std::clamp(state[3], -kMostLowerSpin, kMostLowerSpin);
    const bool above = -cosine(state[0]) - cosine(state[1] + state[0]) > 1;
    return {above ? 0.0 : -1.0, above};
  }

  void observe(const State& state, std::span<std::uint32_t>, std::span<float> dense) const {
    dense[0] = static_cast<float>(cosine(state[0]));
    dense[1] = static_cast<float>(sine(state[0]));
    dense[2] = static_cast<float>(cosine(state[1]));
    dense[3] = static_cast<float>(sine(state[1]));
    dense[4] = static_cast<float>(state[2]);
    dense[5] = static_cast<float>(state[3]);
  }

  /// Whether an unfinished episode may be in this state.
  bool is_valid(const State& state) const {
    return std::abs(state[0]) <= kPi && std::abs(state[1]) <= kPi && std::abs(state[2]) <= kMostUpperSpin &&
           std::abs(state[3]) <= kMostLowerSpin;
  }

 private:
  static double wrapped(double angle) {
    while (angle > kPi) angle -= 2 * kPi;
    while (angle < -kPi) angle += 2 * kPi;
    return angle;
  }

  /// How the state changes: the equations of motion of Sutton and Barto's book.
  static State slope(const State& s, double torque) {
    const double cos = cosine(s[1]);
    const double sin = sine(s[1]);
    const double d1 = kCentre * kCentre + (1 + kCentre * kCentre + 2 * kCentre * cos) + 1 + 1;
    const double d2 = kCentre * kCentre + kCentre * cos + 1;
    const double phi2 = kCentre * kGravity * cosine(s[0] + s[1] - kPi / 2);
    const double phi1 = -kCentre * s[3] * s[3] * sin - 2 * kCentre * s[3] * s[2] * sin +
                        (kCentre + 1) * kGravity * cosine(s[0] - kPi / 2) + phi2;
    const double lower = (torque + d2 / d1 * phi1 - kCentre * s[2] * s[2] * sin - phi2) /
                         (kCentre * kCentre + 1 - d2 * d2 / d1);
    return {s[2], s[3], -(d2 * lower + phi1) / d1, lower};
  }

  static State moved(const State& from, const State& slope, double seconds) {
    State to;
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[k] + seconds * slope[k];
    return to;
  }

  /// One step of the classical Runge-Kutta method.
  static State after(const State& state, double torque) {
    const State k1 = slope(state, torque);
    const State k2 = slope(moved(state, k1, kSeconds / 2), torque);
    const State k3 = slope(moved(state, k2, kSeconds / 2), torque);
    const State k4 = slope(moved(state, k3, kSeconds), torque);
    State sum;
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] = state[k] + kSeconds / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    return sum;
  }

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::size_t step_limit_;
};

}  // namespace

std::vector<TaskKind> acrobot_kinds() {
  ConfigTable<Params> table;
  table.integer("step_limit", &Params::step_limit, 1, 1000000, "Steps after which an episode is truncated.");
  return {task_kind("acrobot",
                    std::string("Swing the foot of a double pendulum above a line, by a motor at its elbow."),
                    std::move(table), [](std::string_view, const Params& params) {
                      return streamed_task(std::make_shared<const Acrobot>(params), draw_acrobot);
                    })};
}

}  // namespace ndnf
