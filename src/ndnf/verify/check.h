#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/properties/check_property.h"
#include "ndnf/properties/trace.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {

/// Which observations a check looks at.
enum class CheckScope : std::uint8_t { kReachable, kVisited };

std::string_view to_string(CheckScope scope);

/// What is checked: a policy as its actions are taken (apply `select` first), with its program if it is one.
struct CheckSubject {
  const FiniteModel& model;
  const PolicyTable& policy;
  const Program* program = nullptr;  ///< With `bound`, or neither.
  const BoundProgram* bound = nullptr;
  bool shielded = false;

  /// Why a row is undefined, as the end of a sentence.
  std::string defect(ObsId obs) const { return policy.defect(obs) + (shielded ? " under the shield" : ""); }
};

/// What one check found.
struct CheckResult {
  std::string
      name;  ///< exactly-one, sums-to-1, coverage, dead-rules, subsumed-rules, or the property itself.
  CheckScope scope = CheckScope::kReachable;
  Verdict verdict = Verdict::kHolds;
  std::optional<double> value{};  ///< Of a property; of coverage: the share of observations.
  std::string value_text{};       ///< The value with enough digits for the verdict.
  std::string witness{};          ///< What does not hold, as a sentence; empty when it holds.
  std::optional<Trace> trace{};   ///< A shortest run to it, where there is one.
  bool property = false;

  bool holds() const { return verdict == Verdict::kHolds; }
};

/// Checks of the policy itself on one scope: `exactly-one` (programs; of ProbLog in every possible world) or
/// `sums-to-1` (all others), `coverage`, and
/// for programs `dead-rules` and `subsumed-rules`. Traces take the policy's actions when the scope is
/// `visited`, any actions otherwise.
std::vector<CheckResult> check_rows(const CheckSubject& subject, CheckScope scope);

/// Properties on the policy's chain, in their order. None holds when the policy visits an observation in
/// which it is undefined: then there is no chain.
std::vector<CheckResult> check_properties(const CheckSubject& subject,
                                          const std::vector<Property>& properties);

}  // namespace ndnf
