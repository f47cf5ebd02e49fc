#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"
#include "ndnf/verify/diff.h"

namespace ndnf {

/// What does B do otherwise than A?
struct DiffRequest {
  std::string a;  ///< Both as load_policy reads them.
  std::string b;
  std::optional<std::string> env;     ///< Otherwise one of them must name its own.
  std::optional<Selection> select;    ///< For both; otherwise as each policy itself says.
  std::optional<std::string> shield;  ///< For both: a file of rules that forbid actions.
  std::size_t examples = 10;          ///< At most so many changed observations are told in full.
};

/// One policy's part in a changed observation.
struct DiffSide {
  std::string row;                 ///< As row_text tells it.
  std::vector<std::string> rules;  ///< To blame: those that fire on this side only, else the action's rules.
};

struct DiffExample {
  std::string observation;
  ChangedObservation change;
  DiffSide a;
  DiffSide b;
};

struct DiffResult {
  std::string policy_a;
  std::string policy_b;
  std::string env;
  Selection select_a;
  Selection select_b;
  bool shielded_a = false;  ///< By the request's shield or its own.
  bool shielded_b = false;
  PolicyDiff diff;
  std::size_t changed_reachable = 0;
  std::vector<DiffExample> examples;  ///< The first of diff.changed.
};

/// Throws Error when a policy or the environment cannot be had.
DiffResult diff_policies(const DiffRequest& request);

nlohmann::ordered_json to_json(const DiffResult& result);

}  // namespace ndnf
