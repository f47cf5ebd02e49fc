#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/pipeline/check_policy.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/pipeline/many_policies.h"
#include "ndnf/report/sample.h"
#include "ndnf/training/return_summary.h"

namespace ndnf {

using Evaluations = std::vector<PolicyOutcome<PolicyEvaluation>>;
using Extractions = std::vector<PolicyOutcome<PolicyExtraction>>;
using CheckedPolicies = std::vector<PolicyOutcome<CheckedPolicy>>;

/// How many policies there are, and how many have no result.
struct PolicyCounts {
  std::size_t policies = 0;
  std::size_t errors = 0;
};

struct EvaluationSummary {
  PolicyCounts counts;
  /// All are for one task with one discount. Otherwise their returns have no mean and no worst.
  bool comparable = true;
  ReturnSummary returns{};
};

struct ExtractionSummary {
  PolicyCounts counts;
  std::size_t faithful = 0;
  std::size_t proved_minimal = 0;
  Sample rules{};  ///< Of the programs found.
  bool comparable = true;
  ReturnSummary returns{};  ///< Of the programs.
};

struct CheckSummary {
  PolicyCounts counts;
  std::size_t hold = 0;
  std::size_t fail = 0;
  std::size_t undecided = 0;
  /// The checks that count and do not hold, each with the policies for which they do not.
  std::vector<std::pair<std::string, std::vector<std::string>>> failing{};
};

EvaluationSummary summary_of(const Evaluations& all);
ExtractionSummary summary_of(const Extractions& all);
CheckSummary summary_of(const CheckedPolicies& all);

nlohmann::ordered_json to_json(const EvaluationSummary& summary);
nlohmann::ordered_json to_json(const ExtractionSummary& summary);
nlohmann::ordered_json to_json(const CheckSummary& summary);

}  // namespace ndnf
