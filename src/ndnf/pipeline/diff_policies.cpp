#include "ndnf/pipeline/diff_policies.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/pipeline/trace_json.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/verify/check_numbers.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

struct FiredRule {
  RuleName name;
  bool decides;  ///< Whether its head is an action.
};

std::vector<FiredRule> fired(const TaskPolicy& policy, const ObservationTable& table, ObsId obs) {
  std::vector<FiredRule> rules;
  if (!policy.bound) return rules;
  for (const std::size_t statement : policy.bound->fired(table, obs)) {
    const Rule& rule = std::get<Rule>(policy.program->statements[statement].content);
    rules.push_back({rule_name(*policy.program, statement), action_of(rule.heads[0].atom).has_value()});
  }
  return rules;
}

/// The rules to blame for a change: those of `own` that do not fire on the other side. If all of them fire
/// there too (so the other side has an additional rule that took over), the rules of `own` for the action.
std::vector<std::string> rules_to_blame(const std::vector<FiredRule>& own,
                                        const std::vector<FiredRule>& other) {
  std::vector<std::string> only_here;
  std::vector<std::string> deciding;
  for (const auto& [name, decides] : own) {
    const std::string text = to_string(name);
    const std::string& rule = name.text;
    const bool there =
        std::any_of(other.begin(), other.end(), [&](const FiredRule& o) { return o.name.text == rule; });
    if (!there) only_here.push_back(text);
    if (decides) deciding.push_back(text);
  }
  return only_here.empty() ? deciding : only_here;
}

/// A program in a task without a finite model.
struct SimulatedProgram {
  Program program;
  BoundProgram bound;

  SimulatedProgram(const PolicySource& source, const Task& task)
      : program(source.program(task, *task.vocabulary)),
        bound(source.fitting(task, [&] { return BoundProgram(program, task.vocabulary); })) {}
  NumberSubject subject(const Task& task) const { return {*task.vocabulary, program, bound}; }
};

DiffResult diff_without_model(const DiffRequest& request, const PolicySource& a, const PolicySource& b,
                              const Task& task) {
  if (!a.is_program() || !b.is_program() || request.shield) task.model();  // says that there is none
  const SimulatedProgram first(a, task);
  const SimulatedProgram second(b, task);
  DiffResult result{a.name(),
                    b.name(),
                    task.spec,
                    request.select.value_or(a.selection()),
                    request.select.value_or(b.selection()),
                    false,
                    false,
                    {},
                    0,
                    {}};
  NumbersDiff& numbers = result.numbers.emplace();
  for (NumberDifference& one : diff_numbers(first.subject(task), second.subject(task))) {
    numbers.regions.push_back({describe(one.witness, *task.vocabulary),
                               {std::move(one.row_a), std::move(one.rules_a)},
                               {std::move(one.row_b), std::move(one.rules_b)}});
  }
  const SamplingOptions sampling{request.episodes, request.seed, 1, {}, task.discount};
  numbers.a = evaluate_by_simulation(task.environments, first.bound, result.select_a, sampling);
  numbers.b = evaluate_by_simulation(task.environments, second.bound, result.select_b, sampling);
  return result;
}

Json side_json(const Evaluation& evaluation) {
  const bool has = evaluation.has_return();
  return {{"return", has ? Json(evaluation.mean_return) : Json(nullptr)},
          {"stderr", has ? Json(evaluation.standard_error) : Json(nullptr)},
          {"episodes", evaluation.episodes}};
}

Json numbers_json(const DiffResult& result) {
  const NumbersDiff& numbers = *result.numbers;
  Json examples = Json::array();
  for (const NumbersDiff::Region& region : numbers.regions) {
    examples.push_back({{"observation", region.observation},
                        {"a", region.a.row},
                        {"b", region.b.row},
                        {"rules_a", region.a.rules},
                        {"rules_b", region.b.rules}});
  }
  const Json a = side_json(numbers.a);
  const Json b = side_json(numbers.b);
  return {{"policy_a", result.policy_a},
          {"policy_b", result.policy_b},
          {"env", result.env},
          {"select_a", result.select_a.to_string()},
          {"select_b", result.select_b.to_string()},
          {"shielded_a", false},
          {"shielded_b", false},
          {"equal", numbers.regions.empty()},
          {"changed", numbers.regions.size()},
          {"changed_reachable", nullptr},
          {"within_rounding", 0},
          {"observations", nullptr},
          {"return_a", a["return"]},
          {"return_b", b["return"]},
          {"stderr_a", a["stderr"]},
          {"stderr_b", b["stderr"]},
          {"loop_a", nullptr},
          {"loop_b", nullptr},
          {"episodes", numbers.a.episodes},
          {"examples", std::move(examples)}};
}

Json or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json to_json(const DiffExample& example) {
  const ChangedObservation& change = example.change;
  return {{"observation", example.observation},
          {"a", example.a.row},
          {"b", example.b.row},
          {"rules_a", example.a.rules},
          {"rules_b", example.b.rules},
          {"max_dp", change.max_dp},
          {"reachable", change.reachable},
          {"visited_a", change.visited_a},
          {"visited_b", change.visited_b},
          {"visits_b", change.visits_b},
          {"contribution", or_null(change.contribution)}};
}

}  // namespace

DiffResult diff_policies(const DiffRequest& request) {
  const PolicySource source_a(request.a);
  const PolicySource source_b(request.b);
  const Task task = task_for(request.env, {&source_a, &source_b}, request.discount);
  if (!task.is_finite()) return diff_without_model(request, source_a, source_b, task);
  const FiniteModel& model = task.model();
  const ObservationTable& table = model.observations();
  const auto shield = read_shield_option(request.shield, table);
  const TaskPolicy a = source_a.in(task, shield).taken(request.select);
  const TaskPolicy b = source_b.in(task, shield).taken(request.select);
  DiffResult result{a.name,   b.name,     task.spec,  a.select,
                    b.select, a.shielded, b.shielded, diff_policies(model, a.table, b.table),
                    0,        {}};
  result.model = task.finite;
  if (result.diff.endless_a) result.loop_a = loop_trace(model, a.table);
  if (result.diff.endless_b) result.loop_b = loop_trace(model, b.table);
  for (const ChangedObservation& change : result.diff.changed) {
    result.changed_reachable += change.reachable ? 1 : 0;
    if (result.examples.size() == request.examples) continue;
    const auto fired_a = fired(a, table, change.obs);
    const auto fired_b = fired(b, table, change.obs);
    result.examples.push_back(
        {table.describe(change.obs),
         change,
         {row_text(a, table.vocabulary(), change.obs), rules_to_blame(fired_a, fired_b)},
         {row_text(b, table.vocabulary(), change.obs), rules_to_blame(fired_b, fired_a)}});
  }
  return result;
}

nlohmann::ordered_json to_json(const DiffResult& result) {
  if (result.numbers) return numbers_json(result);
  const auto loop_json = [&](const std::optional<Trace>& loop) {
    return loop ? to_json(*loop, *result.model) : Json(nullptr);
  };
  Json examples = Json::array();
  for (const DiffExample& example : result.examples) examples.push_back(to_json(example));
  return {{"policy_a", result.policy_a},
          {"policy_b", result.policy_b},
          {"env", result.env},
          {"select_a", result.select_a.to_string()},
          {"select_b", result.select_b.to_string()},
          {"shielded_a", result.shielded_a},
          {"shielded_b", result.shielded_b},
          {"changed", result.diff.changed.size()},
          {"changed_reachable", result.changed_reachable},
          {"within_rounding", result.diff.within_rounding},
          {"observations", result.diff.observations},
          {"return_a", or_null(result.diff.return_a)},
          {"return_b", or_null(result.diff.return_b)},
          {"loop_a", loop_json(result.loop_a)},
          {"loop_b", loop_json(result.loop_b)},
          {"examples", std::move(examples)}};
}

}  // namespace ndnf
