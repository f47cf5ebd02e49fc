#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/optimum/optimum.h"

namespace ndnf {

/// How good is this policy?
struct EvaluationRequest {
  std::string policy;               ///< As load_policy reads it.
  std::optional<std::string> env;   ///< As make_environment reads it; otherwise the policy must name its own.
  std::optional<Selection> select;  ///< Otherwise as the policy itself says.
  std::optional<std::string> with;  ///< "clingo" or "problog": the program's rows come from the real one.
  std::chrono::seconds solver_time{600};  ///< What that one may take.
  std::optional<std::string> shield;      ///< A file of rules that forbid actions (docs/shields.md).
  std::optional<std::size_t> episodes;    ///< Sample this many; otherwise exact.
  std::uint64_t seed = 0;
  std::size_t jobs = 1;
  std::function<void(std::size_t)> on_episodes;  ///< As in SamplingOptions.
};

struct PolicyEvaluation {
  /// The visited observation whose row is undefined, in words.
  struct Undefined {
    std::string observation;
    std::string reason;
  };

  std::string policy;
  std::string env;
  Selection select;
  std::optional<std::string> with;
  bool shielded = false;              ///< By the request's shield or its own.
  std::vector<std::string> timeouts;  ///< Queries that ProbLog did not answer in time.
  Evaluation evaluation;
  std::optional<Undefined> undefined;  ///< Then the figures of `evaluation` mean nothing.
  std::vector<std::string> tags;       ///< One per rate of `evaluation`.
  BestReturn optimum;
  double seconds = 0;  ///< Of the evaluation itself.
};

/// Throws Error when the policy or the environment cannot be had. An undefined row is a result, not an Error.
PolicyEvaluation evaluate_policy(const EvaluationRequest& request);

nlohmann::ordered_json to_json(const PolicyEvaluation& result);

/// Adds `optimum` (the best return found), `optimum_proof`, `optimum_bound`, and how far `mean_return` is
/// from the two: `gap` and `gap_bound`.
void add_optimum(nlohmann::ordered_json& json, const BestReturn& optimum, double mean_return);

}  // namespace ndnf
