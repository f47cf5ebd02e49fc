#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Writes a policy for use elsewhere (docs/deployment.md), or its Markov chain for another model checker
/// (docs/checking.md).
struct ExportRequest {
  std::string policy;                 ///< As load_policy reads it.
  std::optional<std::string> env;     ///< Otherwise the policy must name its own.
  std::optional<Selection> select;    ///< For a chain; otherwise as the policy itself says.
  std::optional<std::string> shield;  ///< A file of rules that forbid actions (docs/shields.md).
  std::string format;                 ///< "c", "npz", "drn" (Storm's explicit format) or "prism".
  std::string file;
};

struct ExportedPolicy {
  std::string policy;
  std::string env;
  Selection select;
  bool shielded = false;  ///< By the request's shield or its own.
  std::string format;
  std::string file;
  std::size_t bytes = 0;
};

/// Throws Error when a chain is asked for and the policy visits an observation in which it is undefined, when
/// a selection is given and no chain is asked for, or when the file cannot be written.
ExportedPolicy export_policy(const ExportRequest& request);

nlohmann::ordered_json to_json(const ExportedPolicy& result);

}  // namespace ndnf
