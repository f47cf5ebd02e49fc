#pragma once

#include <functional>
#include <vector>

#include "ndnf/verify/check.h"

namespace ndnf {

/// A program for a task with quantities, whose observations are not enumerated.
struct NumberSubject {
  const Vocabulary& vocabulary;
  const Program& program;
  const BoundProgram& bound;
};

/// Checks of the program on *every* observation within the grids of its quantities, proved by Z3 over the
/// whole numbers: `exactly-one`, `coverage`, `dead-rules`, `subsumed-rules` as check_rows does, and
/// `overlaps`: no two rules for different actions fire together. A witness is believed only if our evaluator
/// confirms it; Error otherwise. A check that Z3 cannot decide is undecided.
std::vector<CheckResult> check_numbers(const NumberSubject& subject);

/// `never A when B` over every observation, whether or not an episode reaches it. REQUIRES: the properties
/// are of this form, without labels.
std::vector<CheckResult> check_never(const NumberSubject& subject, const std::vector<Property>& properties);

/// Whether a property is `never A when B`.
bool is_never(const Property& property);

/// Observations in which a condition holds: one for each decision (rule for actions, or none) that the
/// program makes there.
std::vector<QuantisedObservation> observations_where(const StateFormula& formula,
                                                     const NumberSubject& subject);

/// A pair of rules, one per program, that decide differently somewhere.
struct NumberDifference {
  std::vector<std::string> rules_a;  ///< Those that fire there.
  std::vector<std::string> rules_b;
  std::string row_a;
  std::string row_b;
  QuantisedObservation witness;
};

/// Where two programs differ: one witness per pair of decisions (rules for actions, or none) that differ and
/// occur together; nothing if Z3 proves that there is none. Throws Error if Z3 cannot decide.
std::vector<NumberDifference> diff_numbers(const NumberSubject& a, const NumberSubject& b);

}  // namespace ndnf
