#include "ndnf/optimum/endless_optimum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

#include "ndnf/mdp/bounded.h"
#include "ndnf/optimum/policy_iteration.h"

namespace ndnf {
namespace {

using Rational = boost::multiprecision::cpp_rational;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kNoBound = std::numeric_limits<double>::infinity();
/// Policy iteration takes a few dozen steps; rounding could let it go round in circles.
constexpr std::size_t kMostImprovements = 1000;
/// For the proof in exact fractions, in products of 64-bit words: some seconds.
constexpr std::size_t kExactWords = 100'000'000;

using Process = EndlessProcess<double>;
using Row = Process::Row;

/// The states from which the end can be reached with probability 1 by allowed actions, the allowed actions
/// that stay among them, and for each state one that leads towards the end.
struct Ending {
  std::vector<ActionSet> allowed;  ///< Empty in other states.
  std::vector<ActionId> towards;
};

/// de Alfaro's fixed point: of the states left, keep those from which the end can be reached by actions that
/// cannot leave them; repeat until nothing changes.
Ending ending_states(const Process& process, std::vector<ActionSet> allowed) {
  Ending result{std::move(allowed), std::vector<ActionId>(process.size(), 0)};
  for (bool changed = true; changed;) {
    std::vector<bool> found(process.size(), false);
    for (bool growing = true; growing;) {
      growing = false;
      for (std::size_t s = 0; s < process.size(); ++s) {
        for (ActionId a = 0; a < process.action_count() && !found[s]; ++a) {
          if ((result.allowed[s] >> a & 1) == 0) continue;
          const Row& row = process.row(s, a);
          const bool nearer = row.ends || std::any_of(row.moves.begin(), row.moves.end(),
                                                      [&](const auto& move) { return found[move.next]; });
          if (!nearer) continue;
          found[s] = growing = true;
          result.towards[s] = a;
        }
      }
    }
    changed = false;
    for (std::size_t s = 0; s < process.size(); ++s) {
      ActionSet kept = 0;
      for (ActionId a = 0; a < process.action_count() && found[s]; ++a) {
        const auto& moves = process.row(s, a).moves;
        const bool stays =
            std::all_of(moves.begin(), moves.end(), [&](const auto& move) { return found[move.next]; });
        if (stays) kept |= result.allowed[s] & ActionSet{1} << a;
      }
      changed = changed || kept != result.allowed[s];
      result.allowed[s] = kept;
    }
  }
  return result;
}

/// Whether some policy over these actions may stay for ever: the largest set of states in each of which one
/// of them neither ends the episode nor leaves the set.
bool may_stay(const Process& process, const std::vector<ActionSet>& actions) {
  std::vector<bool> inside(process.size());
  for (std::size_t s = 0; s < process.size(); ++s) inside[s] = actions[s] != 0;
  const auto stays = [&](std::size_t s) {
    for (ActionId a = 0; a < process.action_count(); ++a) {
      const Row& row = process.row(s, a);
      if ((actions[s] >> a & 1) == 0 || row.leaves > 0) continue;
      if (std::all_of(row.moves.begin(), row.moves.end(), [&](const auto& m) { return inside[m.next]; }))
        return true;
    }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < process.size(); ++s) {
      if (!inside[s] || stays(s)) continue;
      inside[s] = false;
      changed = true;
    }
  }
  return std::find(inside.begin(), inside.end(), true) != inside.end();
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// Improves the policy as long as it gets better by more than the tolerance, which is raised where rounding
/// alone would make it stay for ever. False if it stays for ever, whatever the tolerance.
template <class Gain>
bool iterate(PolicyIteration<double, Gain>& iteration, double rewards, double terms) {
  WorkLimit limit;
  double share = 16 * (terms + 4) * kUnit;
  iteration.evaluate(limit);
  for (std::size_t i = 0; i < kMostImprovements; ++i) {
    const std::vector<ActionId> before = iteration.policy();
    if (iteration.improve(share * (rewards + largest(iteration.values()))) == 0) return true;
    if (!iteration.leaves()) {
      if (share > 1e-6) return false;
      iteration.set_policy(before);
      share *= 1000;
      continue;
    }
    WorkLimit again;
    iteration.evaluate(again);
  }
  return true;
}

/// What the solution consists of, state by state of the process.
class Solver {
 public:
  explicit Solver(const FiniteModel& model)
      : model_(model), states_(reachable(model).states), number_(model.state_count(), 0) {
    for (std::uint32_t i = 0; i < states_.size(); ++i) number_[states_[i]] = i;
    restrict_to_ending();
    for (std::size_t s = 0; s < process_->size(); ++s) {
      for (ActionId a = 0; a < process_->action_count(); ++a) {
        for (const Outcome& outcome : model.outcomes(states_[s], a))
          rewards_ = std::max(rewards_, std::abs(outcome.reward));
        terms_ = std::max(terms_, static_cast<double>(process_->row(s, a).moves.size()) + 1);
      }
    }
  }

  EndlessOptimum run() {
    const auto reward = [](const Row& row) { return row.reward; };
    PolicyIteration<double, decltype(reward)> iteration(*process_, allowed_, reward, policy_);
    if (!iterate(iteration, rewards_, terms_)) {
      throw NoOptimum("", "there is no best return: rewards can be collected without end",
                      "give the task a step limit or a discount");
    }
    policy_ = iteration.policy();
    values_ = iteration.values();
    q_.assign(process_->size() * process_->action_count(), 0);
    for (std::size_t s = 0; s < process_->size(); ++s) {
      for (ActionId a = 0; a < process_->action_count(); ++a)
        q_[s * process_->action_count() + a] = iteration.look_ahead(s, a);
    }
    EndlessOptimum result;
    result.scale = rewards_ + largest(values_);
    result.value = from_starts(values_);
    result.bound = bound(result.scale);
    result.rounding = rounding_of_policy();
    if (std::isfinite(result.bound)) result.rounding += std::max(0.0, result.bound - result.value);
    result.actions = quickest(result.scale);
    return result;
  }

 private:
  double q(std::size_t s, ActionId a) const { return q_[s * process_->action_count() + a]; }

  /// Without a discount, states from which no policy ends are left out, and so are actions that may lead
  /// there.
  void restrict_to_ending() {
    const ActionSet all = ~ActionSet{0} >> (64 - model_.action_count());
    process_.emplace(model_, states_);
    allowed_.assign(states_.size(), all);
    Ending ending = ending_states(*process_, allowed_);
    policy_ = std::move(ending.towards);
    if (model_.discount() < 1) return;
    for (const Start& start : model_.starts()) {
      if (ending.allowed[number_[start.state]] == 0) {
        throw NoOptimum("", "there is no best return: no policy ends with probability 1",
                        "give the task a step limit or a discount");
      }
    }
    allowed_ = std::move(ending.allowed);
    keep_allowed();
  }

  /// Makes the other states leave the process at once: no allowed action leads to them.
  void keep_allowed() {
    std::vector<StateId> kept;
    std::vector<ActionSet> actions;
    std::vector<ActionId> policy;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (allowed_[s] == 0) continue;
      kept.push_back(states_[s]);
      actions.push_back(allowed_[s]);
      policy.push_back(policy_[s]);
    }
    states_ = std::move(kept);
    allowed_ = std::move(actions);
    policy_ = std::move(policy);
    for (std::uint32_t i = 0; i < states_.size(); ++i) number_[states_[i]] = i;
    process_.emplace(model_, states_);
  }

  double from_starts(const std::vector<double>& values) const {
    double sum = 0;
    for (const Start& start : model_.starts()) sum += start.probability * values[number_[start.state]];
    return sum;
  }

  /// The rounding error of a computed Q-value, at most.
  double error(double scale) const { return (terms_ + 5) * kUnit * scale; }

  /// A function W with W ≥ Q_W(s, a) everywhere bounds the return of every policy that leaves with
  /// probability 1: by induction over the steps. W = V + δ h is one if h falls by at least 1 with every step
  /// of an action whose value is about the best one, and δ is no smaller than what rounding left of Q − V.
  /// With a discount d, h = 1 / (1 − d) will do. Without, h is the largest expected number of steps over such
  /// actions, if there is one, and W is verified. Otherwise exact fractions have to decide.
  double bound(double scale) const {
    double excess = 0;
    for_each_allowed([&](std::size_t s, ActionId a) { excess = std::max(excess, q(s, a) - values_[s]); });
    const double delta = excess + 4 * error(2 * scale);
    if (model_.discount() < 1)
      return from_starts(values_) + delta / (1 - model_.discount()) * (1 + 8 * kUnit);
    if (const auto steps = most_steps(scale)) {
      std::vector<double> above = values_;
      for (std::size_t s = 0; s < above.size(); ++s) above[s] += 2 * delta * (*steps)[s];
      if (is_bound(above)) return from_starts(above) + error(largest(above));
    }
    return exact_value().value_or(kNoBound);
  }

  template <class Visit>
  void for_each_allowed(Visit visit) const {
    for (std::size_t s = 0; s < process_->size(); ++s) {
      for (ActionId a = 0; a < process_->action_count(); ++a) {
        if ((allowed_[s] >> a & 1) != 0) visit(s, a);
      }
    }
  }

  std::vector<ActionSet> about_best(double tolerance) const {
    std::vector<ActionSet> actions(process_->size(), 0);
    for_each_allowed([&](std::size_t s, ActionId a) {
      if (q(s, a) >= values_[s] - tolerance) actions[s] |= ActionSet{1} << a;
    });
    for (std::size_t s = 0; s < actions.size(); ++s) actions[s] |= ActionSet{1} << policy_[s];
    return actions;
  }

  std::optional<std::vector<double>> most_steps(double scale) const {
    const std::vector<ActionSet> actions = about_best(1e-7 * scale);
    if (may_stay(*process_, actions)) return std::nullopt;
    const auto one = [](const Row&) { return 1.0; };
    PolicyIteration<double, decltype(one)> iteration(*process_, actions, one, policy_);
    if (!iterate(iteration, 1, terms_)) return std::nullopt;
    return iteration.values();
  }

  bool is_bound(const std::vector<double>& above) const {
    const double slack = error(rewards_ + largest(above));
    bool holds = true;
    for_each_allowed([&](std::size_t s, ActionId a) {
      const Row& row = process_->row(s, a);
      double sum = row.reward;
      for (const auto& move : row.moves) sum += move.probability * above[move.next];
      holds = holds && sum + 2 * slack <= above[s];
    });
    return holds;
  }

  /// The best return, by policy iteration in exact fractions, which has no excess; rounded up. Nothing if
  /// that takes too long.
  std::optional<double> exact_value() const {
    const EndlessProcess<Rational> process(model_, states_);
    const auto reward = [](const EndlessProcess<Rational>::Row& row) { return row.reward; };
    PolicyIteration<Rational, decltype(reward)> iteration(process, allowed_, reward, policy_);
    std::size_t spent = 0;
    const auto spend = [&](const Rational& number, std::size_t products) {
      const std::size_t words = numerator(number).backend().size() + denominator(number).backend().size();
      return (spent += products * words * words) <= kExactWords;
    };
    do {
      if (!iteration.leaves() || !iteration.evaluate(spend)) return std::nullopt;
    } while (iteration.improve(Rational(0)) > 0);
    Rational sum = 0;
    for (const Start& start : model_.starts())
      sum += Rational(start.probability) * iteration.values()[number_[start.state]];
    const auto value = sum.convert_to<double>();
    return value + 4 * kUnit * std::abs(value);
  }

  /// Both ways of computing the policy's return, by values and by visits, carry a bound on their error.
  double rounding_of_policy() const {
    const EndlessProcess<Bounded> process(model_, states_);
    const auto reward = [](const EndlessProcess<Bounded>::Row& row) { return row.reward; };
    PolicyIteration<Bounded, decltype(reward)> iteration(process, allowed_, reward, policy_);
    WorkLimit limit;
    iteration.evaluate(limit);
    double most = 0;
    for (const Bounded& value : iteration.values()) most = std::max(most, value.error);
    return 4 * most + error(largest(values_));
  }

  /// Among the best actions, those that need the fewest steps; where no choice among them ends, all of them.
  std::vector<ActionSet> quickest(double scale) const {
    std::vector<ActionSet> best = about_best(2 * std::max(16 * error(scale), 1e-13 * scale));
    const Ending ending = ending_states(*process_, best);
    std::vector<StateId> ends;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (ending.allowed[s] != 0) ends.push_back(static_cast<StateId>(s));
    }
    if (!ends.empty()) keep_fewest_steps(ending, ends, best);
    std::vector<ActionSet> actions(model_.state_count(), 0);
    for (StateId s = 0; s < model_.state_count(); ++s) {
      if (!model_.is_end(s)) actions[s] = ~ActionSet{0} >> (64 - model_.action_count());
    }
    for (std::size_t s = 0; s < states_.size(); ++s) actions[states_[s]] = best[s];
    return actions;
  }

  void keep_fewest_steps(const Ending& ending, const std::vector<StateId>& ends,
                         std::vector<ActionSet>& best) const {
    std::vector<StateId> states;
    std::vector<ActionSet> allowed;
    std::vector<ActionId> policy;
    for (const StateId s : ends) {
      states.push_back(states_[s]);
      allowed.push_back(ending.allowed[s]);
      policy.push_back(ending.towards[s]);
    }
    const Process process(model_.discounted(1), states);
    const auto step = [](const Row&) { return -1.0; };
    PolicyIteration<double, decltype(step)> iteration(process, allowed, step, policy);
    iterate(iteration, 1, terms_);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ActionSet kept = ActionSet{1} << iteration.policy()[i];
      const double fewest = iteration.values()[i];
      for (ActionId a = 0; a < process.action_count(); ++a) {
        if ((allowed[i] >> a & 1) != 0 && iteration.look_ahead(i, a) >= fewest * (1 + 1e-11))
          kept |= ActionSet{1} << a;
      }
      best[ends[i]] = kept;
    }
  }

  const FiniteModel& model_;
  std::vector<StateId> states_;
  std::vector<std::uint32_t> number_;  // per state of the model
  std::optional<Process> process_;
  std::vector<ActionSet> allowed_;
  std::vector<ActionId> policy_;
  std::vector<double> values_;
  std::vector<double> q_;  // (states, actions)
  double rewards_ = 0;     // the largest magnitude
  double terms_ = 1;       // of a sum of outcomes
};

}  // namespace

EndlessOptimum endless_optimum(const FiniteModel& model) { return Solver(model).run(); }

}  // namespace ndnf
