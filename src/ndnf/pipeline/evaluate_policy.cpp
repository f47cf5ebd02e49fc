#include "ndnf/pipeline/evaluate_policy.h"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/endless_optimum.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/pipeline/trace_json.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/training/return_json.h"

namespace ndnf {
namespace {

Evaluation run(const EvaluationRequest& request, const FiniteModel& model, const PolicyTable& policy) {
  if (!request.episodes) return evaluate_exactly(model, policy);
  return evaluate_by_sampling(model, policy,
                              {*request.episodes, request.seed, request.jobs, request.on_episodes});
}

/// Throws Error if the solver that is asked for does not read the program.
void check_solver(const EvaluationRequest& request, const PolicySource& source) {
  const bool clingo = *request.with == "clingo";
  const std::string extension = clingo ? ".lp" : ".pl";
  if (source.name().ends_with(extension)) return;
  throw Error(argument("with"), fmt::format("{} evaluates {} files", *request.with, extension),
              clingo ? "use problog for a .pl file" : "use clingo for a .lp file");
}

/// The program's rows in every reachable observation, computed by the real clingo or ProbLog.
PolicyTable load_with(const EvaluationRequest& request, const PolicySource& source, const Task& task,
                      std::vector<std::string>& timeouts) {
  check_solver(request, source);
  const bool clingo = *request.with == "clingo";
  const ObservationTable& table = task.model().observations();
  source.in(task);  // for our own error messages
  const SolverText rules = source.for_solver();
  const std::vector<ObsId> ids = reachable(task.model()).observations;
  const SolverLimits limits{request.solver_time};
  if (clingo) return evaluate_with_clingo(rules, table, ids, limits);
  ProblogEvaluation answer = evaluate_with_problog(rules, table, ids, kProblogTimeLimit, limits);
  for (const ProblogTimeout& timeout : answer.timeouts) {
    const std::string query = timeout.action
                                  ? fmt::format("action({})", table.vocabulary().action_name(*timeout.action))
                                  : "exactly one action";
    timeouts.push_back(fmt::format("{} in {}", query, table.describe(timeout.obs)));
  }
  return std::move(answer.policy);
}

TaskPolicy load(const EvaluationRequest& request, const PolicySource& source, const Task& task,
                std::vector<std::string>& timeouts) {
  const auto shield = read_shield_option(request.shield, task.model().observations());
  if (!request.with) return source.in(task, shield);
  return TaskPolicy{source.name(), source.selection(), load_with(request, source, task, timeouts)}.restricted(
      task.model(), shield);
}

void add_optimum(const FiniteModel& model, PolicyEvaluation& result) {
  try {
    result.optimum = find_optimum(model).best_return();
  } catch (const NoOptimum& none) {
    result.no_optimum = none.complaints().front().what;
  }
}

void evaluate_in_model(const EvaluationRequest& request, const PolicySource& source, const Task& task,
                       PolicyEvaluation& result) {
  const FiniteModel& model = task.model();
  const TaskPolicy policy = load(request, source, task, result.timeouts).taken(request.select);
  result.select = policy.select;
  result.shielded = policy.shielded;
  result.tags = model.tags();
  result.optimum_left_out = request.alone || (!request.optimum && !is_optimum_cheap(model));
  if (!result.optimum_left_out) add_optimum(model, result);
  const auto begin = std::chrono::steady_clock::now();
  result.evaluation = run(request, model, policy.table);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (const auto& undefined = result.evaluation.undefined) {
    result.undefined = {model.observations().describe(undefined->observation),
                        row_text(policy, *task.vocabulary, undefined->observation)};
  }
  if (result.evaluation.endless) result.loop = loop_trace(model, policy.table);
}

/// The policy, answered by the real solver that is asked for.
std::unique_ptr<Policy> simulated_policy(const EvaluationRequest& request, const PolicySource& source,
                                         const Task& task) {
  auto own = source.policy(task);
  if (!request.with) return own;
  check_solver(request, source);
  return std::make_unique<SolverPolicy>(source.for_solver_in_batches(), own->action_count(),
                                        SolverLimits{request.solver_time});
}

/// Samples episodes of a task without a finite model.
void evaluate_in_simulation(const EvaluationRequest& request, const PolicySource& source, const Task& task,
                            PolicyEvaluation& result) {
  if (request.exact || request.shield) task.model();  // says that there is none
  const auto policy = simulated_policy(request, source, task);
  const auto begin = std::chrono::steady_clock::now();
  result.select = request.select.value_or(source.selection());
  result.evaluation =
      evaluate_by_simulation(task.environments, *policy, result.select,
                             {request.episodes.value_or(request.with ? kSolverEpisodes : kDefaultEpisodes),
                              request.seed, request.jobs, request.on_episodes, task.discount});
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (const auto& undefined = result.evaluation.undefined)
    result.undefined = {undefined->described, undefined->defect};
}

}  // namespace

PolicyEvaluation evaluate_policy(const EvaluationRequest& request) {
  const PolicySource source(request.policy);
  const Task task = task_for(request.env, {&source}, request.discount);
  PolicyEvaluation result;
  result.policy = source.name();
  result.env = task.spec;
  result.with = request.with;
  result.discount = task.discount;
  result.model = task.finite;
  if (task.is_finite()) {
    evaluate_in_model(request, source, task, result);
  } else {
    evaluate_in_simulation(request, source, task, result);
  }
  return result;
}

nlohmann::ordered_json to_json(const PolicyEvaluation& result) {
  const Evaluation& evaluation = result.evaluation;
  nlohmann::ordered_json json = {{"policy", result.policy},
                                 {"env", result.env},
                                 {"select", result.select.to_string()},
                                 {"shielded", result.shielded},
                                 {"exact", evaluation.exact},
                                 {"discount", result.discount},
                                 {"return", nullptr}};
  if (result.with) {
    json["with"] = *result.with;
    json["timeouts"] = result.timeouts;
  }
  if (const auto& undefined = result.undefined) {
    json["undefined"] = {{"observation", undefined->observation}, {"reason", undefined->reason}};
    return json;
  }
  if (result.loop) {
    json["loop"] = to_json(*result.loop, *result.model);
    return json;
  }
  json["return"] = evaluation.mean_return;
  json["stderr"] = evaluation.standard_error;
  json["episodes"] = evaluation.episodes;
  json["length"] = evaluation.length;
  json["terminated"] = evaluation.terminated;
  add_optimum(json, result.optimum, evaluation.mean_return);
  json["seconds"] = result.seconds;
  add_tag_rates(json, result.tags, evaluation.tag_rates);
  return json;
}

}  // namespace ndnf
