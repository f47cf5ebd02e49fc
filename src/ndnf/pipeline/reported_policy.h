#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/pipeline/evaluate_policy.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/pipeline/report_runs.h"

namespace ndnf {

/// What a report says about one policy.
struct ReportedPolicy {
  Input input;
  bool is_run = false;
  bool is_network = false;
  Input env;  ///< The task, as the other requests take it.
  std::optional<Task> task{};
  std::optional<PolicyEvaluation> evaluation{};
  std::optional<PolicyExtraction> extraction{};  ///< Of networks and tables, if a program was found.
  std::string no_extraction{};                   ///< Why there is none.
  Input program{};                               ///< By its contents; empty if there is none.
  std::string error{};                           ///< Why nothing of the above is known.

  bool has_program() const { return program.contents.has_value(); }
  std::vector<std::string> actions() const { return task->vocabulary->actions(); }
};

/// The policies of one argument: seeds of the same training.
struct ReportedGroup {
  std::string name;
  std::vector<ReportedPolicy> policies;
  std::size_t chosen = 0;  ///< The one that is shown in full.

  const ReportedPolicy& shown() const { return policies[chosen]; }
};

/// Reads, evaluates and extracts the policies of a request, argument by argument.
std::vector<ReportedGroup> reported_groups(const ReportRequest& request);

/// One group's blocks as they are; those of several side by side.
Section compared(std::string name, std::string title, const std::vector<ReportedGroup>& groups,
                 const std::function<std::vector<Block>(const ReportedGroup&)>& blocks_of);

/// The parts of a report (report_sections.cpp, report_pictures.cpp). Sections without blocks have nothing to
/// say.
Section results_section(const std::vector<ReportedGroup>& groups);
Section training_section(const std::vector<ReportedGroup>& groups);
Section program_section(const std::vector<ReportedGroup>& groups);
Section extraction_section(const std::vector<ReportedGroup>& groups);
Section proof_section(const std::vector<ReportedGroup>& groups, const ReportRequest& request);
Section difference_section(const std::vector<ReportedGroup>& groups, const ReportRequest& request);
Section views_section(const std::vector<ReportedGroup>& groups, const ReportRequest& request);
Section episode_section(const std::vector<ReportedGroup>& groups, const ReportRequest& request);
Section weights_section(const std::vector<ReportedGroup>& groups);
Section seeds_section(const std::vector<ReportedGroup>& groups);

}  // namespace ndnf
