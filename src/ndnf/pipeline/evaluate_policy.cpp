#include "ndnf/pipeline/evaluate_policy.h"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/pipeline/shield_source.h"
#include "ndnf/solvers/real_solvers.h"

namespace ndnf {
namespace {

Evaluation run(const EvaluationRequest& request, const FiniteModel& model, const PolicyTable& policy) {
  if (!request.episodes) return evaluate_exactly(model, policy);
  return evaluate_by_sampling(model, policy,
                              {*request.episodes, request.seed, request.jobs, request.on_episodes});
}

/// The program's rows in every reachable observation, computed by the real clingo or ProbLog.
PolicyTable load_with(const EvaluationRequest& request, const FiniteModel& model,
                      std::vector<std::string>& timeouts) {
  const bool clingo = *request.with == "clingo";
  const std::string extension = clingo ? ".lp" : ".pl";
  if (!request.policy.ends_with(extension)) {
    throw Error(argument("with"), fmt::format("{} evaluates {} files", *request.with, extension),
                clingo ? "use problog for a .pl file" : "use clingo for a .lp file");
  }
  const ObservationTable& table = model.observations();
  BoundProgram(read_program(request.policy, table.vocabulary()),
               table.shared_vocabulary());  // for our own error messages
  const SolverText rules = read_for_solver(request.policy);
  const std::vector<ObsId> ids = reachable(model).observations;
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

ShieldedRows load(const EvaluationRequest& request, const Environment& environment,
                  std::vector<std::string>& timeouts) {
  const auto shield = read_shield_option(request.shield, environment.model.observations());
  if (!request.with) return load_rows(request.policy, environment, shield);
  return restricted(load_with(request, environment.model, timeouts), shield);
}

}  // namespace

PolicyEvaluation evaluate_policy(const EvaluationRequest& request) {
  const Environment environment = environment_for(request.env, {request.policy});
  const FiniteModel& model = environment.model;
  const Selection selection = request.select ? *request.select : selection_of(request.policy);
  PolicyEvaluation result;
  result.policy = request.policy;
  result.env = environment.spec;
  result.select = selection;
  result.with = request.with;
  const ShieldedRows rows = load(request, environment, result.timeouts);
  result.shielded = rows.mask.has_value();
  const PolicyTable policy = rows.selected(selection);
  result.tags = model.tags();
  result.optimum = find_optimum(model).best_return();
  const auto begin = std::chrono::steady_clock::now();
  result.evaluation = run(request, model, policy);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (const auto& undefined = result.evaluation.undefined) {
    result.undefined = {model.observations().describe(undefined->observation),
                        policy.defect(undefined->observation) + (rows.mask ? " under the shield" : "")};
  }
  return result;
}

nlohmann::ordered_json to_json(const PolicyEvaluation& result) {
  const Evaluation& evaluation = result.evaluation;
  nlohmann::ordered_json json = {
      {"policy", result.policy},     {"env", result.env},         {"select", result.select.to_string()},
      {"shielded", result.shielded}, {"exact", evaluation.exact}, {"return", nullptr}};
  if (result.with) {
    json["with"] = *result.with;
    json["timeouts"] = result.timeouts;
  }
  if (const auto& undefined = result.undefined) {
    json["undefined"] = {{"observation", undefined->observation}, {"reason", undefined->reason}};
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

void add_optimum(nlohmann::ordered_json& json, const BestReturn& optimum, double mean_return) {
  json["optimum"] = optimum.found;
  json["optimum_proof"] = to_string(optimum.proof);
  json["optimum_bound"] = optimum.bound;
  json["gap"] = optimum.gap(mean_return);
  json["gap_bound"] = optimum.gap_bound(mean_return);
}

}  // namespace ndnf
