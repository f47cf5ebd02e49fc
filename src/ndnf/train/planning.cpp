#include "ndnf/train/planning.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/train/streams.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {
namespace {

/// Plans are made again when the steps have grown by this fraction.
constexpr std::size_t kGrowth = 16;
/// Steps of each walker in an iteration, at least.
constexpr std::size_t kLeastSteps = 16;
/// Steps after which every second plan is sober: before, it is rather to be found out what there is.
constexpr std::uint64_t kSoberFrom = 2'500'000;
/// Values and steps whose relative difference is smaller count as equal.
constexpr double kTied = 1e-9;

/// `unit` is the order of magnitude of what is added up.
bool tied(double a, double b, double unit = 1) {
  return std::abs(a - b) <= kTied * std::max({unit, std::abs(a), std::abs(b)});
}

/// What a try is worth on average, its variance, and the expected steps after it.
struct Estimate {
  double mean = 0;
  double variance = 0;
  double steps = 1;
};

Estimate estimate(std::span<const EpisodeModel::Result> results, std::uint64_t tries,
                  const std::vector<double>& values, const std::vector<double>& steps, double discount) {
  Estimate found;
  double square = 0;
  for (const EpisodeModel::Result& result : results) {
    const double weight = static_cast<double>(result.count) / static_cast<double>(tries);
    const double worth = result.reward + (result.terminal ? 0 : discount * values[result.next]);
    found.mean += weight * worth;
    square += weight * worth * worth;
    found.steps += result.terminal ? 0 : weight * steps[result.next];
  }
  found.variance = std::max(0.0, square - found.mean * found.mean);
  return found;
}

/// Whether an action has always led back to its observation.
bool changes_nothing(ObsId obs, std::span<const EpisodeModel::Result> results) {
  return results.size() == 1 && results[0].next == obs && !results[0].terminal;
}

/// How often an episode is imagined to end at random within its step limit, in plans that have no clock.
constexpr double kEndings[] = {0.5, 1, 2, 4, 8};
/// The search at the end may take this many outcomes times steps; it evaluates many policies.
constexpr double kMostSearchCost = 5e5;
/// A round of single changes may take this many.
constexpr double kMostClimbCost = 3e7;

/// The policy that takes the first of these actions.
std::vector<double> rows_of(const FiniteModel& model, const BestActions& actions) {
  std::vector<double> rows(model.observations().size() * model.action_count(), 0.0);
  for (ObsId obs = 0; obs < model.observations().size(); ++obs) {
    const bool known = obs < actions.size() && actions[obs] != 0;
    const auto action = known ? static_cast<std::size_t>(std::countr_zero(actions[obs])) : 0;
    rows[obs * model.action_count() + action] = 1;
  }
  return rows;
}

double value_of(const FiniteModel& model, const BestActions& actions) {
  return evaluate_exactly(model, PolicyTable(model.action_count(), rows_of(model, actions))).mean_return;
}

/// The best policy without a clock that find_optimum finds in the learned model.
BestActions searched(const FiniteModel& model, BestActions planned) {
  const PolicyTable found = find_optimum(model).policy;
  for (ObsId obs = 0; obs < planned.size(); ++obs) {
    if (planned[obs] != 0) planned[obs] = std::uint64_t{1} << found.argmax(obs);
  }
  return planned;
}

/// Changes one observation's action at a time while that helps: without a clock the best certain policy need
/// not be a plan's.
BestActions climbed(const FiniteModel& model, const EpisodeModel& known, BestActions actions) {
  double most = value_of(model, actions);
  for (bool better = true; better;) {
    better = false;
    for (ObsId obs = 0; obs < actions.size(); ++obs) {
      if (actions[obs] == 0) continue;
      for (ActionId a = 0; a < known.action_count(); ++a) {
        if (known.tries(obs, a) == 0) continue;
        const std::uint64_t before = std::exchange(actions[obs], std::uint64_t{1} << a);
        const double value = value_of(model, actions);
        const bool gains = value > most + kTied * std::abs(most);
        if (gains) most = value;
        if (!gains) actions[obs] = before;
        better = better || gains;
      }
    }
  }
  return actions;
}

}  // namespace

double PlanningTrainer::Hope::raised(double mean, double variance, std::uint64_t tries,
                                     double optimism) const {
  const auto n = static_cast<double>(tries);
  const double square = doubt > 0 ? (n * variance + doubt * doubt) / (n + 1) : variance;
  const double by = kind == Kind::kAdded ? optimism * (errors * std::sqrt(2 * square / n) + spread / n)
                                         : optimism / (n + optimism) * std::max(0.0, paradise - mean);
  return std::min(mean + by, paradise);
}

ConfigTable<PlanOptions> plan_config() {
  using O = PlanOptions;
  return ConfigTable<O>()
      .integer("total_timesteps", &O::total_timesteps, 1, 1'000'000'000'000, "Environment steps, at most.")
      .integer("num_envs", &O::num_envs, 1, 65536, "Environments that play in parallel.")
      .real("optimism", &O::optimism, 0, 100,
            "How much better than its estimate an action may be, in standard errors.")
      .integer("horizon", &O::horizon, 0, 1'000'000'000,
               "Steps that a plan looks ahead; 0: the task's step limit.")
      .real("discount", &O::discount, 0, 1, "The discount of the return that a plan maximises.")
      .integer("patience", &O::patience, 1, 1'000'000,
               "Plans in a row whose policy must be optimal for the training to end early.")
      .flag(
          "refine", &O::refine,
          "Go on with PPO from the plan's rules unless they are optimal, for tasks whose observations do not "
          "determine what happens next; the better policy in fresh episodes is kept.");
}

PlanningTrainer::PlanningTrainer(std::unique_ptr<VectorEnv> env, const PlanOptions& options,
                                 std::size_t horizon, std::uint64_t seed, const ActionMask* mask,
                                 std::function<bool(const BestActions&)> is_solved)
    : options_(options),
      horizon_(options.horizon > 0 ? static_cast<std::size_t>(options.horizon) : horizon),
      seed_(seed),
      mask_(mask),
      is_solved_(std::move(is_solved)),
      env_(std::move(env)),
      model_(env_->observations().vocabulary().action_count()),
      returns_(env_->size(), 0.0),
      lengths_(env_->size(), 0) {
  if (env_->observations().is_buffer())
    throw Error("plan", "planning needs a task whose observations can be enumerated", "use ppo");
  const auto first = env_->reset(seed);
  seen_.assign(first.begin(), first.end());
  for (const ObsId obs : seen_) model_.add_start(obs);
}

bool PlanningTrainer::done() const {
  return steps_ >= static_cast<std::uint64_t>(options_.total_timesteps) ||
         solved_ >= static_cast<std::uint64_t>(options_.patience);
}

std::size_t PlanningTrainer::steps_in_iteration() const {
  const std::size_t all = std::max<std::size_t>(steps_ / kGrowth, kLeastSteps * env_->size());
  const std::size_t left = static_cast<std::size_t>(options_.total_timesteps) - steps_;
  return (std::min(all, left) + env_->size() - 1) / env_->size();
}

std::size_t PlanningTrainer::iterations_left() const {
  std::size_t count = 0;
  for (std::uint64_t steps = steps_; steps < static_cast<std::uint64_t>(options_.total_timesteps); ++count)
    steps += std::max<std::uint64_t>(steps / kGrowth, kLeastSteps * env_->size());
  return count;
}

IterationReport PlanningTrainer::next_iteration() {
  IterationReport report;
  play(steps_in_iteration(), report);
  ++iteration_;
  choose_policy(plan_curiously());
  solved_ = is_solved_ && is_solved_(best_) ? solved_ + 1 : 0;
  report.iteration = iteration_;
  report.iterations = iteration_ + (done() ? 0 : iterations_left());
  report.steps = steps_;
  return report;
}

void PlanningTrainer::play(std::size_t steps, IterationReport& report) {
  RandomSequence random(RandomStream(seed_, kActionStream), static_cast<std::uint64_t>(iteration_) << 32);
  std::vector<ActionId> actions(env_->size());
  double total_return = 0;
  double total_length = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    for (std::size_t n = 0; n < actions.size(); ++n) actions[n] = choose(seen_[n], random);
    const VectorStep step = env_->step(actions);
    for (std::size_t n = 0; n < actions.size(); ++n) {
      model_.add(seen_[n], actions[n], step.arrived[n], step.terminated[n] != 0, step.rewards[n]);
      returns_[n] += step.rewards[n];
      ++lengths_[n];
      seen_[n] = step.observations[n];
      if ((step.terminated[n] | step.truncated[n]) == 0) continue;
      ++report.episodes;
      model_.add_start(seen_[n]);
      total_return += std::exchange(returns_[n], 0.0);
      total_length += static_cast<double>(std::exchange(lengths_[n], 0));
    }
  }
  steps_ += steps * actions.size();
  if (report.episodes == 0) return;
  report.episodic_return = total_return / static_cast<double>(report.episodes);
  report.episodic_length = total_length / static_cast<double>(report.episodes);
}

/// An action that was never tried here, if there is one; otherwise one of the optimistic plan.
ActionId PlanningTrainer::choose(ObsId obs, RandomSequence& random) const {
  std::uint64_t choices = 0;
  for (ActionId a = 0; a < model_.action_count(); ++a)
    choices |= std::uint64_t{allows(obs, a) && model_.tries(obs, a) == 0} << a;
  if (choices == 0 && obs < curious_.size()) choices = curious_[obs];
  for (ActionId a = 0; choices == 0 && a < model_.action_count(); ++a)
    choices |= std::uint64_t{allows(obs, a)} << a;
  for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(std::popcount(choices))); skip > 0;
       --skip)
    choices &= choices - 1;
  return static_cast<ActionId>(std::countr_zero(choices));
}

/// Backward induction in the learned model.
PlanningTrainer::Plan PlanningTrainer::plan(const Hope& hope, double discount) const {
  const std::size_t count = model_.size();
  const double unknown = hope.paradise;
  std::vector<double> before(count, 0.0);
  std::vector<double> steps_before(count, 0.0);
  std::vector<double> steps(count, 0.0);
  Plan plan{std::vector<double>(count, 0.0), BestActions(count, 0)};
  for (std::size_t k = 0; k < horizon_; ++k) {
    before.swap(plan.values);
    steps_before.swap(steps);
    bool changed = false;
    for (ObsId obs = 0; obs < count; ++obs) {
      double best = -std::numeric_limits<double>::infinity();
      double fewest = 0;
      std::uint64_t actions = 0;
      for (ActionId a = 0; a < model_.action_count(); ++a) {
        const std::uint64_t tries = model_.tries(obs, a);
        if (!allows(obs, a) || (tries == 0 && !hope.any())) continue;
        Estimate found{unknown, 0, 1};
        if (tries > 0) found = estimate(model_.results(obs, a), tries, before, steps_before, discount);
        if (hope.any() && tries > 0 && !(hope.doubt > 0 && changes_nothing(obs, model_.results(obs, a))))
          found.mean = hope.raised(found.mean, found.variance, tries, options_.optimism);
        const bool same = actions != 0 && tied(found.mean, best, model_.largest_reward());
        if ((!same && found.mean > best) || (same && found.steps < fewest && !tied(found.steps, fewest))) {
          actions = 0;
          best = found.mean;
          fewest = found.steps;
        }
        if (actions == 0 || (same && tied(found.steps, fewest))) actions |= std::uint64_t{1} << a;
      }
      plan.actions[obs] = actions;
      plan.values[obs] = actions == 0 ? unknown : best;
      steps[obs] = fewest;
      changed = changed || !tied(plan.values[obs], before[obs], model_.largest_reward()) ||
                !tied(steps[obs], steps_before[obs]);
    }
    if (!changed) break;
  }
  return plan;
}

/// Plans without optimism; then how well what is known can be used says how much there is to be hoped for.
BestActions PlanningTrainer::plan_curiously() {
  Plan plain = plan({}, options_.discount);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (ObsId obs = 0; obs < plain.actions.size(); ++obs) {
    if (plain.actions[obs] == 0) continue;
    low = std::min(low, plain.values[obs]);
    high = std::max(high, plain.values[obs]);
    if (!std::isfinite(plain.values[obs]))
      throw Error(fmt::format("iteration {}", iteration_), "a value is NaN or infinite");
  }
  double spread = high - low + model_.largest_reward();
  if (spread == 0) spread = 1;
  const double far = static_cast<double>(horizon_) * spread;
  const Hope sober{Hope::Kind::kAdded, high + spread, 0, 1, spread};
  const Hope hopes[] = {{Hope::Kind::kAdded, high + far, far},
                        {Hope::Kind::kMixed, high + far, 0},
                        {Hope::Kind::kAdded, high + spread, spread},
                        {Hope::Kind::kMixed, high + spread, 0}};
  const bool late = steps_ >= kSoberFrom;
  const Hope& hope = !late                 ? hopes[iteration_ % std::size(hopes)]
                     : iteration_ % 2 == 0 ? sober
                                           : hopes[iteration_ / 2 % std::size(hopes)];
  curious_ = plan(hope, options_.discount).actions;
  return std::move(plain.actions);
}

FiniteModel PlanningTrainer::learned_model() const {
  const ObservationTable& table = env_->observations();
  return model_.estimated({std::shared_ptr<const ObservationTable>(), &table}, horizon_, options_.discount);
}

double PlanningTrainer::learned_return(const PolicyTable& policy) const {
  return evaluate_exactly(learned_model(), policy).mean_return;
}

void PlanningTrainer::choose_policy(BestActions planned) {
  const FiniteModel model = learned_model();
  std::vector<BestActions> candidates{std::move(planned)};
  if (best_.size() == candidates[0].size()) candidates.push_back(best_);
  for (const double ends : kEndings) {
    const double discount = std::max(0.0, 1 - ends / static_cast<double>(horizon_));
    candidates.push_back(plan({}, options_.discount * discount).actions);
  }
  const double cost = static_cast<double>(model.outcome_count()) * static_cast<double>(horizon_);
  const bool last = steps_ >= static_cast<std::uint64_t>(options_.total_timesteps);
  if (cost <= kMostSearchCost && last) candidates.push_back(searched(model, candidates.front()));
  if (cost * static_cast<double>(best_.size() * model_.action_count()) <= kMostClimbCost && last) {
    for (BestActions& candidate : candidates) candidate = climbed(model, model_, std::move(candidate));
  }
  double most = -std::numeric_limits<double>::infinity();
  for (BestActions& candidate : candidates) {
    const double value = value_of(model, candidate);
    if (value <= most + kTied * std::abs(most)) continue;
    most = value;
    best_ = std::move(candidate);
  }
}

TensorFile PlanningTrainer::state() const {
  TensorFile file;
  model_.save(file);
  file.tensors["best"] = Tensor::of(best_);
  file.tensors["counters"] = Tensor::of(std::vector<std::uint64_t>{iteration_, steps_, solved_});
  if (const auto episodes = env_->snapshot()) {
    file.tensors["environment"] = Tensor::of(*episodes);
    file.tensors["episode.returns"] = Tensor::of(returns_);
    file.tensors["episode.lengths"] = Tensor::of(lengths_);
  }
  return file;
}

void PlanningTrainer::restore(std::string_view where, const TensorFile& file) {
  const auto counters = read_counts(where, file, "counters", 3);
  model_.restore(where, file, env_->observations().size());
  iteration_ = static_cast<std::size_t>(counters[0]);
  steps_ = counters[1];
  solved_ = counters[2];
  new_episodes_ = !file.tensors.contains("environment");
  if (new_episodes_) {
    const auto first = env_->reset(seed_ + iteration_);
    seen_.assign(first.begin(), first.end());
  } else {
    const auto seen = env_->restore(file.at(where, "environment").as<std::uint64_t>(where));
    seen_.assign(seen.begin(), seen.end());
    returns_ = read_numbers<double>(where, file, "episode.returns", seen_.size());
    lengths_ = read_counts(where, file, "episode.lengths", seen_.size());
  }
  best_ = read_numbers<std::uint64_t>(where, file, "best", model_.size());
  plan_curiously();
}

}  // namespace ndnf
