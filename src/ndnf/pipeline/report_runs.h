#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/watch.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/report/document.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// What to report about runs and other policies.
struct ReportRequest {
  /// Each is a policy as PolicySource reads it, or a folder of runs (inputs/run_folder.h), whose seeds are
  /// reported together. Several are compared side by side.
  std::vector<Input> policies;
  std::optional<Input> env{};             ///< If absent, each policy must name its own.
  std::optional<Selection> select{};      ///< Default: each policy's own.
  std::optional<Input> shield{};          ///< Rules that forbid actions (docs/shields.md).
  std::optional<double> discount{};       ///< Of returns, instead of the task's own.
  std::vector<std::string> properties{};  ///< To be checked (docs/properties.md).
  std::uint64_t seed = 0;                 ///< Of the episode that is shown.
  Watch watch{};
};

struct PolicyReport {
  std::vector<std::string> policies;  ///< All of them, folders expanded.
  std::string env;                    ///< Of the first.
  Document document;
};

/// Reads, evaluates and extracts; writes nothing. Of several seeds the one with the best return, and of
/// these the one with the fewest rules, is shown in full. A policy that cannot be read is listed with its
/// mistake; throws Error if none can.
PolicyReport report_runs(const ReportRequest& request);

/// `policies`, `env`, and the fields of the document.
nlohmann::ordered_json to_json(const PolicyReport& report);

}  // namespace ndnf
