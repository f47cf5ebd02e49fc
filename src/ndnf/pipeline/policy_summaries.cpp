#include "ndnf/pipeline/policy_summaries.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

template <class Result>
PolicyCounts counts_of(const std::vector<PolicyOutcome<Result>>& all) {
  PolicyCounts counts{all.size(), 0};
  for (const PolicyOutcome<Result>& one : all) counts.errors += one.error ? 1 : 0;
  return counts;
}

/// Whether all results are about one task.
template <class Result>
bool are_comparable(const std::vector<PolicyOutcome<Result>>& all) {
  const Result* first = nullptr;
  for (const PolicyOutcome<Result>& one : all) {
    if (!one.result) continue;
    if (first == nullptr) first = &*one.result;
    if (one.result->env != first->env || one.result->discount != first->discount) return false;
  }
  return true;
}

Json to_json(const PolicyCounts& counts) {
  return {{"policies", counts.policies}, {"errors", counts.errors}};
}

Json returns_json(const ReturnSummary& returns, bool comparable) {
  Json json = to_json(returns);
  for (const char* key : {"mean", "stderr", "worst"}) {
    if (!comparable) json[key] = nullptr;
  }
  return json;
}

/// What a check is called in the summary.
std::string title_of(const CheckResult& check) {
  return check.property ? check.name : fmt::format("{} ({})", check.name, to_string(check.scope));
}

void add_failing(const std::string& check, const std::string& policy, CheckSummary& summary) {
  const auto known = std::find_if(summary.failing.begin(), summary.failing.end(),
                                  [&](const auto& entry) { return entry.first == check; });
  if (known == summary.failing.end()) {
    summary.failing.push_back({check, {policy}});
  } else if (known->second.back() != policy) {
    known->second.push_back(policy);
  }
}

}  // namespace

EvaluationSummary summary_of(const Evaluations& all) {
  EvaluationSummary summary{counts_of(all), are_comparable(all), {}};
  for (const PolicyOutcome<PolicyEvaluation>& one : all) {
    if (!one.result) continue;
    const bool has_return = !one.result->undefined && !one.result->loop;
    summary.returns.add(has_return ? std::optional(one.result->evaluation.mean_return) : std::nullopt,
                        one.result->optimum);
  }
  return summary;
}

ExtractionSummary summary_of(const Extractions& all) {
  ExtractionSummary summary{counts_of(all)};
  summary.comparable = are_comparable(all);
  for (const PolicyOutcome<PolicyExtraction>& one : all) {
    if (!one.result) continue;
    const Attempt& best = one.result->extraction.best();
    summary.faithful += best.faithful() ? 1 : 0;
    summary.proved_minimal += best.proved_minimal ? 1 : 0;
    if (best.program) summary.rules.values.push_back(static_cast<double>(best.size.rules));
    summary.returns.add(best.mean_return ? std::optional(best.mean_return->value) : std::nullopt,
                        std::nullopt);
  }
  return summary;
}

CheckSummary summary_of(const CheckedPolicies& all) {
  CheckSummary summary{counts_of(all)};
  for (const PolicyOutcome<CheckedPolicy>& one : all) {
    if (!one.result) continue;
    const Verdict verdict = one.result->verdict();
    ++(verdict == Verdict::kHolds   ? summary.hold
       : verdict == Verdict::kFails ? summary.fail
                                    : summary.undecided);
    for (const CheckResult& check : one.result->checks) {
      if (!check.holds() && one.result->counts(check)) add_failing(title_of(check), one.policy, summary);
    }
  }
  return summary;
}

nlohmann::ordered_json to_json(const EvaluationSummary& summary) {
  Json json = to_json(summary.counts);
  json.update(returns_json(summary.returns, summary.comparable));
  return json;
}

nlohmann::ordered_json to_json(const ExtractionSummary& summary) {
  Json json = to_json(summary.counts);
  json["faithful"] = summary.faithful;
  json["proved_minimal"] = summary.proved_minimal;
  json["rules"] = nullptr;
  if (!summary.rules.empty()) {
    json["rules"] = {
        {"mean", summary.rules.mean()}, {"least", summary.rules.least()}, {"most", summary.rules.greatest()}};
  }
  Json returns = returns_json(summary.returns, summary.comparable);
  returns.erase("at_optimum");
  json.update(returns);
  return json;
}

nlohmann::ordered_json to_json(const CheckSummary& summary) {
  Json json = to_json(summary.counts);
  json["hold"] = summary.hold;
  json["fail"] = summary.fail;
  json["undecided"] = summary.undecided;
  json["failing"] = Json::array();
  for (const auto& [check, policies] : summary.failing)
    json["failing"].push_back({{"name", check}, {"policies", policies}});
  return json;
}

}  // namespace ndnf
