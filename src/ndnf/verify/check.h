#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/properties/check_property.h"
#include "ndnf/properties/trace.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {

/// The observations that a check covers. Without a finite model: every one within the grids of its
/// quantities.
enum class CheckScope : std::uint8_t { kReachable, kVisited, kEverywhere };

std::string_view to_string(CheckScope scope);

/// The policy to check, as its actions are taken (apply `select` first), with its program if it is one.
struct CheckSubject {
  const FiniteModel& model;
  const PolicyTable& policy;
  const Program* program = nullptr;  ///< With `bound`, or neither.
  const BoundProgram* bound = nullptr;
  std::string restriction{};  ///< What follows a defect: TaskPolicy::restriction.

  /// Why a row is undefined, as the end of a sentence.
  std::string defect(ObsId obs) const { return policy.defect(obs) + restriction; }
};

/// Where a value comes from sampled episodes: an interval that contains it with this confidence.
struct SampledValue {
  std::size_t episodes = 0;
  double confidence = 0;
  double low = 0;
  double high = 0;
};

/// The result of one check.
struct CheckResult {
  /// exactly-one, sums-to-1, coverage, dead-rules, subsumed-rules, or the property itself.
  std::string name;
  CheckScope scope = CheckScope::kReachable;
  Verdict verdict = Verdict::kHolds;
  std::optional<double> value{};  ///< Of a property; for coverage the fraction of observations.
  std::string value_text{};       ///< The value with enough digits for the verdict.
  std::string witness{};          ///< What does not hold, as a sentence; empty if it holds.
  std::optional<Trace> trace{};   ///< A shortest run to it, if there is one.
  bool property = false;
  std::optional<SampledValue> sampled{};

  bool holds() const { return verdict == Verdict::kHolds; }
};

/// Checks of the policy itself on one scope: `exactly-one` (programs; for ProbLog in every possible world) or
/// `sums-to-1` (all others), `coverage`, and for programs `dead-rules` and `subsumed-rules`. Traces follow
/// the policy's actions if the scope is `visited`, any actions otherwise.
std::vector<CheckResult> check_rows(const CheckSubject& subject, CheckScope scope);

/// Checks properties on the policy's chain, in the given order. All fail if the policy visits an observation
/// in which it is undefined: then there is no chain. A return or length without a value fails, too; its trace
/// is the loop that an episode may never leave.
std::vector<CheckResult> check_properties(const CheckSubject& subject,
                                          const std::vector<Property>& properties,
                                          const std::function<void(const Property&)>& before = {});

}  // namespace ndnf
