#include "ndnf/optimum/backward_induction.h"

#include <array>
#include <cmath>
#include <limits>

#include "ndnf/base/parallel.h"

namespace ndnf {
namespace {

/// States that one thread takes at a time: smaller models are done by the caller alone.
constexpr std::size_t kChunk = std::size_t{1} << 16;

/// How far values may be off by rounding. A step adds up at most n products, each of which errs by 3 units in
/// the last place at most, and the sum by n: (n + 3) u of the largest number in it, and errors add up over
/// steps (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2).
class RoundingBound {
 public:
  explicit RoundingBound(const FiniteModel& model) {
    std::size_t terms = model.starts().size();
    for (StateId s = 0; s < model.state_count(); ++s) {
      for (ActionId a = 0; a < model.action_count() && !model.is_end(s); ++a) {
        terms = std::max(terms, model.outcomes(s, a).size());
        for (const Outcome& outcome : model.outcomes(s, a))
          rewards_ = std::max(rewards_, std::abs(outcome.reward));
      }
    }
    unit_ = (static_cast<double>(terms) + 3) * std::numeric_limits<double>::epsilon() / 2;
  }

  /// Takes in the values of one step more.
  void add(const std::vector<double>& values) {
    for (const double value : values) values_ = std::max(values_, std::abs(value));
    ++steps_;
  }
  double scale() const { return rewards_ + values_; }
  double operator()() const { return static_cast<double>(steps_ + 1) * unit_ * scale(); }

 private:
  double unit_ = 0;
  double rewards_ = 0;
  double values_ = 0;
  std::size_t steps_ = 0;
};

double look_ahead(std::span<const Outcome> outcomes, const std::vector<double>& values) {
  double sum = 0;
  for (const Outcome& outcome : outcomes) {
    sum += outcome.probability * (outcome.reward + (outcome.terminal ? 0 : values[outcome.next]));
  }
  return sum;
}

struct Choice {
  double value = 0;
  ActionSet actions = 0;
};

/// REQUIRES: the state is no end. `values` are those with one step less to go. Actions tie that `rounding`
/// does not tell apart.
Choice best_choice(const FiniteModel& model, StateId s, const std::vector<double>& values, double rounding) {
  std::array<double, kMaxActions> q;
  for (ActionId a = 0; a < model.action_count(); ++a) q[a] = look_ahead(model.outcomes(s, a), values);
  Choice choice{*std::max_element(q.begin(), q.begin() + model.action_count()), 0};
  const double tied = choice.value - 2 * rounding;
  for (ActionId a = 0; a < model.action_count(); ++a) {
    choice.actions |= ActionSet{q[a] >= tied} << a;
  }
  return choice;
}

/// The values with the whole horizon to go. After each step back calls on_layer(values with one step less to
/// go, values, optimal actions); ends early when a layer repeats the one before, as all further ones would.
template <class OnLayer>
std::vector<double> induct(const FiniteModel& model, RoundingBound& rounding, OnLayer on_layer) {
  const std::size_t jobs = default_jobs();
  std::vector<double> before(model.state_count(), 0);
  std::vector<double> values(model.state_count(), 0);
  std::vector<ActionSet> actions(model.state_count(), 0);
  for (std::size_t step = 0; step < model.horizon(); ++step) {
    before.swap(values);
    const double tolerance = rounding();
    parallel_for(model.state_count() / kChunk + 1, jobs, [&](std::size_t chunk) {
      const std::size_t end = std::min(model.state_count(), (chunk + 1) * kChunk);
      for (auto s = static_cast<StateId>(chunk * kChunk); s < end; ++s) {
        if (model.is_end(s)) continue;
        const Choice choice = best_choice(model, s, before, tolerance);
        values[s] = choice.value;
        actions[s] = choice.actions;
      }
    });
    rounding.add(values);
    on_layer(before, values, actions);
    if (values == before) break;
  }
  return values;
}

}  // namespace

BackwardInduction induct_backward(const FiniteModel& model) {
  BackwardInduction result{0, 0, 0, std::vector<ActionSet>(model.state_count(), 0)};
  RoundingBound rounding(model);
  const std::vector<double> values =
      induct(model, rounding, [&](const auto& before, const auto& now, const auto& actions) {
        for (StateId s = 0; s < model.state_count(); ++s) {
          const ActionSet kept = result.actions[s] & actions[s];
          const bool settled = std::abs(now[s] - before[s]) <= 2 * rounding();
          result.actions[s] = settled && kept != 0 ? kept : actions[s];
        }
      });
  for (const Start& start : model.starts()) result.value += start.probability * values[start.state];
  result.scale = rounding.scale();
  result.rounding = rounding();
  return result;
}

OptimalActions::OptimalActions(const FiniteModel& model) {
  RoundingBound rounding(model);
  induct(model, rounding, [&](const auto&, const auto&, const auto& actions) { layers_.push_back(actions); });
}

}  // namespace ndnf
