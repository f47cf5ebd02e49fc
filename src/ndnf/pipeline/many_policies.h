#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// What came of one of several policies: a result, or the Error in its place.
template <class Result>
struct PolicyOutcome {
  std::string policy;
  std::optional<Result> result{};
  std::optional<Error> error{};
};

/// The distinct complaints of several Errors.
Error joined(const std::vector<Error>& errors);

/// `work(request)` for each policy (inputs/run_folder.h expands folders) instead of the request's own. An
/// Error of one does not concern the others; if all fail, throws what they say.
template <class Request, class Work>
auto for_each_policy(Request request, const std::vector<Input>& policies, const Work& work) {
  using Result = decltype(work(std::as_const(request)));
  std::vector<PolicyOutcome<Result>> outcomes;
  std::vector<Error> errors;
  for (const Input& policy : policies) {
    request.policy = policy;
    outcomes.push_back({policy.name});
    try {
      outcomes.back().result = work(std::as_const(request));
    } catch (const Error& error) {
      outcomes.back().error = error;
      errors.push_back(error);
    }
  }
  if (errors.size() == outcomes.size()) throw joined(errors);
  return outcomes;
}

/// One object per policy (`policy` and `error` where there is no result), and one with the `summary`.
template <class Result, class Summary>
nlohmann::ordered_json to_json(const std::vector<PolicyOutcome<Result>>& outcomes, const Summary& summary) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PolicyOutcome<Result>& outcome : outcomes) {
    if (outcome.result) {
      list.push_back(to_json(*outcome.result));
    } else {
      list.push_back({{"policy", outcome.policy}, {"error", outcome.error->what()}});
    }
  }
  list.push_back({{"summary", to_json(summary)}});
  return list;
}

}  // namespace ndnf
