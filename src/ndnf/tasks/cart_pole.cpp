#include "ndnf/tasks/cart_pole.h"

#include <cmath>
#include <limits>
#include <memory>

#include "ndnf/base/elementary.h"
#include "ndnf/simulation/streamed_env.h"
#include "ndnf/tasks/control_drawing.h"

// Cart and pole (Barto, Sutton and Anderson, 1983), with the constants and the Euler steps of Gymnasium's
// CartPole-v1: push a cart left or right so that the pole on it does not fall. Sine and cosine are our own,
// so that training gives the same bytes everywhere.

namespace ndnf {
namespace {

struct Params {
  std::int64_t step_limit = 500;
};

constexpr double kGravity = 9.8;
constexpr double kCart = 1.0;
constexpr double kPole = 0.1;
constexpr double kHalfLength = 0.5;
constexpr double kForce = 10.0;
constexpr double kSeconds = 0.02;
constexpr double kLimitPosition = 2.4;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
/// Rules do not tell speeds beyond this apart: an upright pole stays below 4.
constexpr double kFast = 10;
constexpr double kPi = 3.14159265358979323846;
constexpr double kLimitAngle = 12 * 2 * kPi / 360;

class CartPole {
 public:
  struct State {
    double position = 0;
    double velocity = 0;
    double angle = 0;
    double spin = 0;
  };

  explicit CartPole(const Params& params)
      : vocabulary_(std::make_shared<const Vocabulary>(
            std::vector<AtomGroup>{}, std::vector<std::string>{"left", "right"},
            std::vector<Quantity>{
                quantity("position", "m", -2 * kLimitPosition, 2 * kLimitPosition, 0.001),
                {"velocity", "m/s", -kUnbounded, kUnbounded, Grid::covering(-kFast, kFast, 0.001)},
                quantity("angle", "rad", -2 * kLimitAngle, 2 * kLimitAngle, 0.001),
                {"spin", "rad/s", -kUnbounded, kUnbounded, Grid::covering(-kFast, kFast, 0.001)}})),
        step_limit_(static_cast<std::size_t>(params.step_limit)) {}

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }
  std::size_t step_limit() const { return step_limit_; }

  State start(RandomSequence& random) const {
    const auto small = [&random] { return -0.05 + 0.1 * random.uniform(); };
    State state;
    for (double* number : {&state.position, &state.velocity, &state.angle, &state.spin}) *number = small();
    return state;
  }

  WorldStep step(State& state, ActionId action, RandomSequence&) const {
    constexpr double kTotal = kCart + kPole;
    constexpr double kMoment = kPole * kHalfLength;
    const double force = action == 1 ? kForce : -kForce;
    const double cos = cosine(state.angle);
    const double sin = sine(state.angle);
    const double push = (force + kMoment * state.spin * state.spin * sin) / kTotal;
    const double turn =
        (kGravity * sin - cos * push) / (kHalfLength * (4.0 / 3.0 - kPole * cos * cos / kTotal));
    const double pull = push - kMoment * turn * cos / kTotal;
    state.position += kSeconds * state.velocity;
    state.velocity += kSeconds * pull;
    state.angle += kSeconds * state.spin;
    state.spin += kSeconds * turn;
    return {1, std::abs(state.position) > kLimitPosition || std::abs(state.angle) > kLimitAngle};
  }

  void observe(const State& state, std::span<std::uint32_t>, std::span<float> dense) const {
    dense[0] = static_cast<float>(state.position);
    dense[1] = static_cast<float>(state.velocity);
    dense[2] = static_cast<float>(state.angle);
    dense[3] = static_cast<float>(state.spin);
  }

  /// Whether an unfinished episode may be in this state.
  bool is_valid(const State& state) const {
    return std::abs(state.position) <= kLimitPosition && std::abs(state.angle) <= kLimitAngle &&
           std::abs(state.velocity) < 1e6 && std::abs(state.spin) < 1e6;
  }

 private:
  std::shared_ptr<const Vocabulary> vocabulary_;
  std::size_t step_limit_;
};

}  // namespace

std::vector<TaskKind> cart_pole_kinds() {
  ConfigTable<Params> table;
  table.integer("step_limit", &Params::step_limit, 1, 1000000, "Steps after which an episode is truncated.");
  return {task_kind("cart-pole",
                    std::string("Push a cart left or right so that the pole on it stays upright."),
                    std::move(table), [](std::string_view, const Params& params) {
                      return streamed_task(std::make_shared<const CartPole>(params), draw_cart_pole);
                    })};
}

}  // namespace ndnf
