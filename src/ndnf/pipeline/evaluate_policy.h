#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/properties/trace.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Episodes that are sampled by default where there is no exact figure.
inline constexpr std::size_t kDefaultEpisodes = 10000;
/// The same where a real solver answers for every decision, which takes milliseconds.
inline constexpr std::size_t kSolverEpisodes = 10;

/// Which policy to evaluate, and how.
struct EvaluationRequest {
  Input policy;                     ///< As PolicySource reads it.
  std::optional<Input> env{};       ///< As open_task reads it. If absent, the policy must name one.
  std::optional<Selection> select;  ///< Default: the policy's own.
  std::optional<std::string> with;  ///< "clingo" or "problog": the solver that evaluates the program's rules.
  std::chrono::seconds solver_time{600};  ///< The time limit of that solver.
  std::optional<Input> shield{};          ///< Rules that forbid actions (docs/shields.md).
  /// The number of episodes to sample. If absent, exact for a finite task, otherwise kDefaultEpisodes
  /// or, with a solver, kSolverEpisodes.
  std::optional<std::size_t> episodes;
  bool exact = false;    ///< Rather fail than sample.
  bool optimum = false;  ///< Compare with the optimum of a large task, too.
  bool alone = false;    ///< Compare with no optimum: for callers that know it already.
  std::uint64_t seed = 0;
  std::size_t jobs = 1;
  std::function<void(std::size_t)> on_episodes;  ///< As in SamplingOptions.
  std::optional<double> discount{};              ///< Of returns, instead of the task's own.
};

struct PolicyEvaluation {
  /// A visited observation whose row is undefined, as text.
  struct Undefined {
    std::string observation;
    std::string reason;
  };

  std::string policy;
  std::string env;
  Selection select;
  std::optional<std::string> with;
  bool shielded = false;              ///< By the shield of the request or by one of its own.
  std::vector<std::string> timeouts;  ///< Queries that ProbLog did not answer in time.
  Evaluation evaluation;
  std::optional<Undefined> undefined;        ///< If set, the figures of `evaluation` are meaningless.
  std::optional<Trace> loop;                 ///< Likewise: an episode may stay in it, so there is no return.
  double discount = 1;                       ///< Of the return.
  std::shared_ptr<const FiniteModel> model;  ///< Of a finite task.
  std::vector<std::string> tags;             ///< One per rate of `evaluation`.
  std::optional<BestReturn> optimum;         ///< Of a finite task, unless it was left out.
  bool optimum_left_out = false;             ///< It would take long and was not asked for.
  std::string no_optimum;                    ///< Why there is none; empty if there is one.
  double seconds = 0;                        ///< The time of the evaluation itself.
};

/// Throws Error if the policy or the environment cannot be loaded. An undefined row is a result, not an
/// Error; so is a loop.
PolicyEvaluation evaluate_policy(const EvaluationRequest& request);

nlohmann::ordered_json to_json(const PolicyEvaluation& result);

}  // namespace ndnf
