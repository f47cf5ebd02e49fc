#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/env/environment.h"
#include "ndnf/pipeline/program_claims.h"
#include "ndnf/verify/check.h"

namespace ndnf {

/// Does this policy do what it should?
struct CheckRequest {
  std::string policy;                         ///< As load_policy reads it.
  std::optional<std::string> env;             ///< Otherwise the policy must name its own.
  std::optional<Selection> select;            ///< Otherwise as the policy itself says.
  std::optional<std::string> shield;          ///< A file of rules that forbid actions (docs/shields.md).
  CheckScope scope = CheckScope::kReachable;  ///< Which checks of rows and rules count.
  std::vector<std::string> properties;
  std::optional<std::string> against;  ///< The run whose network a program claims to be faithful to.
};

struct CheckedPolicy {
  std::string policy;
  Selection select;
  CheckScope scope = CheckScope::kReachable;
  bool shielded = false;  ///< By the request's shield or its own.
  Environment environment;
  std::vector<CheckResult> checks;     ///< Those of rows and rules on both scopes, then the properties.
  std::vector<ProgramClaim> claims{};  ///< What a program file says of itself. A false one is a warning.

  /// Properties count always; checks of rows and rules on the scope that was asked for.
  bool counts(const CheckResult& check) const;
  /// Fails if a check that counts does; else undecided if one is.
  Verdict verdict() const;
  bool holds() const { return verdict() == Verdict::kHolds; }
};

/// Throws Error for a policy, environment or property that cannot be read.
CheckedPolicy check_policy(const CheckRequest& request);

nlohmann::ordered_json to_json(const CheckedPolicy& result);

}  // namespace ndnf
