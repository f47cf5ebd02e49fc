#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Why does the policy do that?
struct ExplainRequest {
  std::string policy;                 ///< As load_policy reads it.
  std::optional<std::string> env;     ///< Otherwise the policy must name its own.
  std::optional<Selection> select;    ///< Otherwise as the policy itself says.
  std::optional<std::string> shield;  ///< A file of rules that forbid actions (docs/shields.md).
  /// Descriptions of observations, such as `hand(18), dealer(9), not usable_ace`: every reachable one that
  /// fits is explained. None: an episode is.
  std::vector<std::string> observations;
  std::uint64_t seed = 0;  ///< Of the episode.
};

/// Why one observation gets its action.
struct Explanation {
  struct Alternative {
    std::string action;
    std::string change;       ///< What to change for it, as few groups as possible; empty: nothing does.
    std::string observation;  ///< That then is seen.
  };

  std::string observation;
  std::string row;                    ///< As row_text tells it.
  std::optional<std::string> action;  ///< The most probable one; nothing where the policy is undefined.
  std::vector<std::string> rules;     ///< Those that fired, for programs.
  std::optional<std::string> reason;  ///< What suffices for the action; nothing when no atoms do.
  bool smallest = true;               ///< No reason has fewer parts.
  std::vector<Alternative> why_not;
};

/// One decision of an episode.
struct EpisodeStep {
  std::size_t explanation = 0;  ///< Its index.
  std::string action;           ///< The one taken; empty where the policy is undefined and the episode stops.
  double reward = 0;
};

struct PolicyExplanation {
  std::string policy;
  std::string env;
  Selection select;
  bool shielded = false;                  ///< By the request's shield or its own.
  bool stochastic = false;                ///< Then reasons are for the most probable action.
  std::vector<Explanation> explanations;  ///< Each observation once.
  std::vector<EpisodeStep> episode;       ///< Empty when observations were asked for.
  std::string ending;                     ///< Of the episode: "win", "the episode is over", "the step limit".
};

/// Throws Error when the policy, the environment or a description cannot be read, or nothing fits it.
PolicyExplanation explain_policy(const ExplainRequest& request);

nlohmann::ordered_json to_json(const PolicyExplanation& result);

}  // namespace ndnf
