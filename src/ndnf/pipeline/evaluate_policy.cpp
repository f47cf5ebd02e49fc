#include "ndnf/pipeline/evaluate_policy.h"

#include <chrono>

#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/env/registry.h"
#include "ndnf/pipeline/describe_environment.h"
#include "ndnf/pipeline/policy_source.h"

namespace ndnf {
namespace {

std::string environment_spec(const EvaluationRequest& request) {
  if (request.env) return *request.env;
  if (const auto own = environment_of(request.policy)) return *own;
  throw Error(request.policy, "names no environment", "give one with --env");
}

Evaluation run(const EvaluationRequest& request, const FiniteModel& model, const PolicyTable& policy) {
  if (!request.episodes) return evaluate_exactly(model, policy);
  return evaluate_by_sampling(model, policy,
                              {*request.episodes, request.seed, request.jobs, request.on_episodes});
}

}  // namespace

PolicyEvaluation evaluate_policy(const EvaluationRequest& request) {
  const Environment environment = make_environment(environment_spec(request));
  const FiniteModel& model = environment.model;
  const Selection selection = request.select ? *request.select : selection_of(request.policy);
  const PolicyTable policy = select(load_policy(request.policy, environment), selection);
  const Optimum optimum = find_optimum(model);

  PolicyEvaluation result{
      request.policy, environment.spec, selection, {}, {}, model.tags(), optimum.evaluation.mean_return,
      optimum.proof};
  const auto begin = std::chrono::steady_clock::now();
  result.evaluation = run(request, model, policy);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (const auto& undefined = result.evaluation.undefined) {
    result.undefined = {model.observations().describe(undefined->observation),
                        policy.defect(undefined->observation)};
  }
  return result;
}

nlohmann::ordered_json to_json(const PolicyEvaluation& result) {
  const Evaluation& evaluation = result.evaluation;
  nlohmann::ordered_json json = {{"policy", result.policy},
                                 {"env", result.env},
                                 {"select", result.select.to_string()},
                                 {"exact", evaluation.exact},
                                 {"return", nullptr}};
  if (const auto& undefined = result.undefined) {
    json["undefined"] = {{"observation", undefined->observation}, {"reason", undefined->reason}};
    return json;
  }
  json["return"] = evaluation.mean_return;
  json["stderr"] = evaluation.standard_error;
  json["episodes"] = evaluation.episodes;
  json["length"] = evaluation.length;
  json["terminated"] = evaluation.terminated;
  json["optimum"] = result.optimum;
  json["optimum_proof"] = to_string(result.proof);
  json["gap"] = result.gap();
  json["seconds"] = result.seconds;
  add_tag_rates(json, result.tags, evaluation.tag_rates);
  return json;
}

}  // namespace ndnf
