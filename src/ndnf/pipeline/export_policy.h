#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Writes a policy for use elsewhere (docs/deployment.md), or its Markov chain for another model checker
/// (docs/checking.md).
struct ExportRequest {
  Input policy;                       ///< As PolicySource reads it.
  std::optional<Input> env{};         ///< If absent, the policy must name its own.
  std::optional<Selection> select{};  ///< For a chain. Default: the policy's own.
  std::optional<Input> shield{};      ///< Rules that forbid actions (docs/shields.md).
  std::string format{};               ///< "c", "npz", "onnx", "drn" (Storm's explicit format) or "prism".
  std::string file{};                 ///< Where to write it. If empty, nothing is written.
  std::optional<double> discount{};   ///< Of returns, instead of the task's own.
};

struct ExportedPolicy {
  std::string policy;
  std::string env;
  Selection select;
  bool shielded = false;  ///< By the shield of the request or by one of its own.
  std::string format;
  std::string file;   ///< Empty if nothing was written.
  std::string bytes;  ///< The contents.
};

/// Throws Error if a chain is requested and the policy visits an observation in which it is undefined, if a
/// selection is given and no chain is requested, or if the file cannot be written.
ExportedPolicy export_policy(const ExportRequest& request);

nlohmann::ordered_json to_json(const ExportedPolicy& result);

}  // namespace ndnf
