#include "ndnf/pipeline/check_policy.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/pipeline/trace_json.h"
#include "ndnf/verify/check_numbers.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

/// An undecided verdict is null.
Json to_json(Verdict verdict) {
  return verdict == Verdict::kUndecided ? Json(nullptr) : Json(verdict == Verdict::kHolds);
}

Json to_json(const CheckResult& check, const CheckedPolicy& result) {
  Json json = {{"name", check.name},
               {"scope", to_string(check.scope)},
               {"counts", result.counts(check)},
               {"holds", to_json(check.verdict)}};
  if (check.verdict == Verdict::kUndecided) json["undecided"] = true;
  if (check.value) json["value"] = *check.value;
  if (const auto& sampled = check.sampled) {
    json["sampled"] = {{"episodes", sampled->episodes},
                       {"confidence", sampled->confidence},
                       {"low", sampled->low},
                       {"high", sampled->high}};
  }
  json["witness"] = check.holds() ? Json(nullptr) : Json(check.witness);
  json["trace"] = check.trace ? ndnf::to_json(*check.trace, result.task.model()) : Json(nullptr);
  if (check.trace && !check.trace->note.empty()) json["note"] = check.trace->note;
  return json;
}

Json claims_json(const std::vector<ProgramClaim>& claims) {
  Json list = Json::array();
  for (const ProgramClaim& claim : claims) {
    list.push_back({{"claim", claim.name},
                    {"said", claim.said},
                    {"verdict", word(claim.verdict)},
                    {"found", claim.found.empty() ? Json(nullptr) : Json(claim.found)}});
  }
  return list;
}

}  // namespace

bool CheckedPolicy::counts(const CheckResult& check) const { return check.property || check.scope == scope; }

Verdict CheckedPolicy::verdict() const {
  const auto any = [this](Verdict verdict) {
    return std::any_of(checks.begin(), checks.end(), [this, verdict](const CheckResult& check) {
      return check.verdict == verdict && counts(check);
    });
  };
  return any(Verdict::kFails)       ? Verdict::kFails
         : any(Verdict::kUndecided) ? Verdict::kUndecided
                                    : Verdict::kHolds;
}

namespace {

bool has_labels(const StateFormula& formula) {
  return formula.kind == StateFormula::Kind::kLabel ||
         std::any_of(formula.parts.begin(), formula.parts.end(), has_labels);
}

/// Checks without a table: those that a solver proves for every observation, and statements about episodes,
/// which are sampled.
void check_without_model(const CheckRequest& request, const PolicySource& source, CheckedPolicy& result) {
  const Task& task = result.task;
  if (!source.is_program() || request.shield) task.model();  // says that there is none
  if (request.against)
    throw Error(argument("against"), "needs a finite model", "leave it out: claims are not checked here");
  result.scope = CheckScope::kEverywhere;
  result.select = request.select.value_or(source.selection());
  std::vector<Property> never;
  std::vector<Property> sampled;
  for (const std::string& text : request.properties) {
    Property property = parse_property(argument("property"), text, *task.vocabulary, {"end"});
    const bool proved = is_never(property) && !has_labels(property.path.right);
    (proved ? never : sampled).push_back(std::move(property));
  }
  const Program program = source.program(task, *task.vocabulary);
  const BoundProgram bound = source.fitting(task, [&] { return BoundProgram(program, task.vocabulary); });
  const NumberSubject subject{*task.vocabulary, program, bound};
  request.watch.step(0, "rules");
  for (CheckResult& check : check_numbers(subject)) result.checks.push_back(std::move(check));
  for (CheckResult& check : check_never(subject, never)) result.checks.push_back(std::move(check));
  request.watch.step(0.5, "episodes");
  for (CheckResult& check : check_by_sampling(task, bound, result.select, sampled, request.sampling))
    result.checks.push_back(std::move(check));
}

void check_in_model(const CheckRequest& request, const PolicySource& source, CheckedPolicy& result);

}  // namespace

CheckedPolicy check_policy(const CheckRequest& request) {
  const PolicySource source(request.policy);
  CheckedPolicy result{
      source.name(), {}, request.scope, false, task_for(request.env, {&source}, request.discount), {}};
  (result.task.is_finite() ? check_in_model : check_without_model)(request, source, result);
  return result;
}

namespace {

void check_in_model(const CheckRequest& request, const PolicySource& source, CheckedPolicy& result) {
  const FiniteModel& model = result.task.model();
  std::vector<Property> properties;
  for (const std::string& text : request.properties) {
    properties.push_back(parse_property(argument("property"), text, model));
  }
  const TaskPolicy policy =
      source.in(result.task, read_shield_option(request.shield, model.observations())).taken(request.select);
  result.select = policy.select;
  result.shielded = policy.shielded;
  const CheckSubject subject{model, policy.table, policy.program ? &*policy.program : nullptr,
                             policy.bound ? &*policy.bound : nullptr, policy.restriction()};
  const double steps = 3 + static_cast<double>(properties.size());
  double done = 0;
  for (const CheckScope scope : {CheckScope::kReachable, CheckScope::kVisited}) {
    request.watch.step(done++ / steps, "rows and rules");
    for (CheckResult& check : check_rows(subject, scope)) result.checks.push_back(std::move(check));
  }
  const auto before = [&](const Property& property) { request.watch.step(done++ / steps, property.text); };
  for (CheckResult& check : check_properties(subject, properties, before))
    result.checks.push_back(std::move(check));
  request.watch.step(done / steps, "claims");
  if (policy.program) {
    result.claims = check_claims(source, request.against);
  } else if (request.against) {
    throw Error(argument("against"), source.name() + " is not a program, so it makes no claims to check",
                "leave it out");
  }
}

}  // namespace

nlohmann::ordered_json to_json(const CheckedPolicy& result) {
  Json checks = Json::array();
  for (const CheckResult& check : result.checks) checks.push_back(to_json(check, result));
  return {{"policy", result.policy},
          {"env", result.task.spec},
          {"select", result.select.to_string()},
          {"shielded", result.shielded},
          {"scope", to_string(result.scope)},
          {"holds", to_json(result.verdict())},
          {"checks", std::move(checks)},
          {"claims", claims_json(result.claims)}};
}

}  // namespace ndnf
