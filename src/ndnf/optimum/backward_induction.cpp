#include "ndnf/optimum/backward_induction.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ndnf/base/parallel.h"
#include "ndnf/optimum/endless_optimum.h"

namespace ndnf {
namespace {

/// States per parallel task: smaller models are processed by the calling thread alone.
constexpr std::size_t kChunk = std::size_t{1} << 16;

/// A bound on the rounding errors of the values. A step adds up at most n products, each with an error of at
/// most 3 units in the last place (4 with a discount), and the sum contributes n more: (n + 3) u times the
/// largest magnitude involved. The errors of the steps add up (Higham, Accuracy and Stability of Numerical
/// Algorithms, section 4.2).
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
    const double own = model.discount() < 1 ? 4 : 3;
    unit_ = (static_cast<double>(terms) + own) * std::numeric_limits<double>::epsilon() / 2;
  }

  /// Accounts for the values of one more step.
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

double look_ahead(std::span<const Outcome> outcomes, double discount, const std::vector<double>& values) {
  double sum = 0;
  for (const Outcome& outcome : outcomes) {
    sum += outcome.probability * (outcome.reward + (outcome.terminal ? 0 : discount * values[outcome.next]));
  }
  return sum;
}

struct Choice {
  double value = 0;
  ActionSet actions = 0;
};

/// REQUIRES: the state is not an end state. `values` are those with one step less to go. Actions whose
/// values differ by no more than the rounding error count as tied.
Choice best_choice(const FiniteModel& model, StateId s, const std::vector<double>& values, double rounding) {
  std::array<double, kMaxActions> q;
  for (ActionId a = 0; a < model.action_count(); ++a)
    q[a] = look_ahead(model.outcomes(s, a), model.discount(), values);
  Choice choice{*std::max_element(q.begin(), q.begin() + model.action_count()), 0};
  const double tied = choice.value - 2 * rounding;
  for (ActionId a = 0; a < model.action_count(); ++a) {
    choice.actions |= ActionSet{q[a] >= tied} << a;
  }
  return choice;
}

/// Bellman's recursion: with k steps to go, an action is worth its expected reward plus the value of the
/// next state with k − 1 steps to go, and a state is worth its best action. Returns the values with the
/// whole horizon to go. After each step calls on_layer(values with one step less to go, values, optimal
/// actions). Stops early when a layer equals the previous one, since all further layers would be the same.
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

/// The fewest expected steps with 1, 2, … steps to go, if only optimal actions are taken.
class FewestSteps {
 public:
  explicit FewestSteps(const FiniteModel& model)
      : model_(model),
        tied_(kTiedSteps * static_cast<double>(model.horizon())),
        steps_(model.state_count(), 0),
        actions_(model.state_count(), 0) {}

  /// One step more to go, in which these actions are optimal. Returns whether anything changed.
  bool add_step(const std::vector<ActionSet>& optimal) {
    before_ = steps_;
    for (StateId s = 0; s < model_.state_count(); ++s) {
      if (!model_.is_end(s)) choose(s, optimal[s]);
    }
    return steps_ != before_;
  }
  const std::vector<ActionSet>& actions() const { return actions_; }

 private:
  static constexpr double kTiedSteps = 1e-12;  ///< Of the horizon: a smaller difference is rounding.

  void choose(StateId s, ActionSet optimal) {
    steps_[s] = std::numeric_limits<double>::infinity();
    for (ActionId a = 0; a < model_.action_count(); ++a) {
      if ((optimal >> a & 1) == 0) continue;
      const double own = expected_steps(model_.outcomes(s, a));
      if (own < steps_[s] - tied_) actions_[s] = 0;
      if (own <= steps_[s] + tied_) actions_[s] |= ActionSet{1} << a;
      steps_[s] = std::min(steps_[s], own);
    }
  }
  double expected_steps(std::span<const Outcome> outcomes) const {
    double sum = 1;
    for (const Outcome& outcome : outcomes)
      sum += outcome.terminal ? 0 : outcome.probability * before_[outcome.next];
    return sum;
  }

  const FiniteModel& model_;
  double tied_;
  std::vector<double> steps_;
  std::vector<double> before_;
  std::vector<ActionSet> actions_;
};

}  // namespace

BackwardInduction induct_backward(const FiniteModel& model) {
  if (model.endless()) {
    EndlessOptimum found = endless_optimum(model);
    return {found.bound, found.scale, found.rounding, std::move(found.actions)};
  }
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

// Bellman's recursion for pairs: in each layer the expected number of steps is minimised among the actions
// with the best value. It goes on where that of the values has become constant, with their last actions.
std::vector<ActionSet> quickest_optimal_actions(const FiniteModel& model) {
  if (model.endless()) return endless_optimum(model).actions;
  RoundingBound rounding(model);
  FewestSteps fewest(model);
  std::vector<ActionSet> optimal;
  std::size_t layers = 0;
  induct(model, rounding, [&](const auto&, const auto&, const std::vector<ActionSet>& actions) {
    optimal = actions;
    fewest.add_step(optimal);
    ++layers;
  });
  for (bool changing = true; changing && layers < model.horizon(); ++layers)
    changing = fewest.add_step(optimal);
  return fewest.actions();
}

OptimalActions::OptimalActions(const FiniteModel& model) {
  if (model.endless()) {
    layers_.push_back(endless_optimum(model).actions);
    return;
  }
  RoundingBound rounding(model);
  induct(model, rounding, [&](const auto&, const auto&, const auto& actions) { layers_.push_back(actions); });
}

}  // namespace ndnf
