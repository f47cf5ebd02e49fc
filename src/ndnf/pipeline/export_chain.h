#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/policy.h"

namespace ndnf {

/// Writes a policy's Markov chain for another model checker.
struct ChainRequest {
  std::string policy;               ///< As load_policy reads it.
  std::optional<std::string> env;   ///< Otherwise the policy must name its own.
  std::optional<Selection> select;  ///< Otherwise as the policy itself says.
  std::string format;               ///< "drn" (Storm's explicit format) or "prism".
  std::string file;
};

struct ExportedChain {
  std::string policy;
  std::string env;
  Selection select;
  std::string format;
  std::string file;
  std::size_t bytes = 0;
};

/// Throws Error when the policy visits an observation in which it is undefined, or the file cannot be
/// written.
ExportedChain export_chain(const ChainRequest& request);

nlohmann::ordered_json to_json(const ExportedChain& result);

}  // namespace ndnf
