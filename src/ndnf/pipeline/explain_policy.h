#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Which decisions of a policy to explain.
struct ExplainRequest {
  Input policy;                       ///< As PolicySource reads it.
  std::optional<Input> env{};         ///< If absent, the policy must name its own.
  std::optional<Selection> select{};  ///< Default: the policy's own.
  std::optional<Input> shield{};      ///< Rules that forbid actions (docs/shields.md).
  /// Descriptions of observations, such as `hand(18), dealer(9), not usable_ace`: every matching reachable
  /// observation is explained; without a finite model, one for each decision of the program that matches. If
  /// empty, the decisions of one episode are explained.
  std::vector<std::string> observations;
  std::uint64_t seed = 0;            ///< The seed of the episode.
  std::optional<double> discount{};  ///< Of returns, instead of the task's own.
};

/// Why the policy takes its action in one observation.
struct Explanation {
  struct Alternative {
    std::string action;
    std::string change;       ///< The smallest change (in atom groups) that leads to it; empty if none does.
    std::string observation;  ///< The observation after that change.
  };

  std::string observation;
  std::string row;                    ///< As formatted by row_text.
  std::vector<double> probabilities;  ///< Per action; empty if the policy is undefined here.
  std::optional<std::string> action;  ///< The most probable one; empty if the policy is undefined here.
  std::vector<std::string> rules;     ///< For programs: the rules that fired.
  std::optional<std::string> reason;  ///< Atoms sufficient for the action; empty if no set of atoms is.
  bool smallest = true;               ///< Whether `reason` is proved to be a smallest one.
  std::vector<Alternative> why_not;
};

/// One decision of an episode.
struct EpisodeStep {
  std::size_t explanation = 0;  ///< An index into PolicyExplanation::explanations.
  std::string action;           ///< The action taken; empty if the policy is undefined and the episode stops.
  double reward = 0;
  std::string observation;
  StateId state = 0;  ///< Only where there is a finite model.
};

struct PolicyExplanation {
  std::string policy;
  std::string env;
  Selection select;
  bool shielded = false;                  ///< By the shield of the request or by one of its own.
  bool stochastic = false;                ///< If so, reasons are for the most probable action.
  std::vector<Explanation> explanations;  ///< One per observation.
  std::vector<EpisodeStep> episode;       ///< Empty if the request named observations.
  std::string ending;                     ///< How the episode ended: "win", "the step limit", …
  double discount = 1;                    ///< Of its return.
  std::optional<StateId> last_state{};    ///< Where its last step led.
  std::vector<std::string> actions{};     ///< The task's.
};

/// Throws Error if the policy, the environment or a description cannot be read, or if no reachable
/// observation matches a description.
PolicyExplanation explain_policy(const ExplainRequest& request);

nlohmann::ordered_json to_json(const PolicyExplanation& result);

}  // namespace ndnf
