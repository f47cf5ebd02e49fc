#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/base/watch.h"
#include "ndnf/env/task.h"
#include "ndnf/pipeline/program_claims.h"
#include "ndnf/pipeline/sampled_property.h"
#include "ndnf/system/input.h"
#include "ndnf/verify/check.h"

namespace ndnf {

/// What to check about a policy.
struct CheckRequest {
  Input policy;                               ///< As PolicySource reads it.
  std::optional<Input> env{};                 ///< Otherwise the policy must name its own.
  std::optional<Selection> select{};          ///< Default: the policy's own.
  std::optional<Input> shield{};              ///< Rules that forbid actions (docs/shields.md).
  CheckScope scope = CheckScope::kReachable;  ///< The scope on which checks of rows and rules count.
  std::vector<std::string> properties{};
  Watch watch{};
  std::optional<Input> against{};    ///< The run whose network a program claims to be faithful to.
  std::optional<double> discount{};  ///< Of returns, instead of the task's own.
  PropertySampling sampling{};       ///< Of statements about episodes, where there is no finite model.
};

struct CheckedPolicy {
  std::string policy;
  Selection select;
  CheckScope scope = CheckScope::kReachable;
  bool shielded = false;  ///< By the shield of the request or by one of its own.
  Task task;
  std::vector<CheckResult> checks;     ///< Rows and rules on both scopes, then the properties.
  std::vector<ProgramClaim> claims{};  ///< Claims in the program's header. A false one is only a warning.

  /// Whether a failure of this check makes the policy fail. Properties always count; checks of rows and rules
  /// count on the requested scope.
  bool counts(const CheckResult& check) const;
  /// kFails if a check that counts fails, otherwise kUndecided if one is undecided, otherwise kHolds.
  Verdict verdict() const;
  bool holds() const { return verdict() == Verdict::kHolds; }
};

/// A program in a task without a finite model is checked on every observation within the grids of its
/// quantities (verify/check_numbers.h), and statements about its episodes are sampled. Throws Error for a
/// policy, environment or property that cannot be read.
CheckedPolicy check_policy(const CheckRequest& request);

nlohmann::ordered_json to_json(const CheckedPolicy& result);

}  // namespace ndnf
