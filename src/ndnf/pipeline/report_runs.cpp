#include "ndnf/pipeline/report_runs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/run_files.h"
#include "ndnf/inputs/run_folder.h"
#include "ndnf/pipeline/many_policies.h"
#include "ndnf/pipeline/reported_policy.h"
#include "ndnf/training/build_info.h"

namespace ndnf {
namespace {

/// Programs of tasks that are not finite are compared on fewer observations than `ndnf extract` takes: a
/// report of many seeds should not take minutes.
constexpr std::size_t kReportedEpisodes = 2000;

/// In the compact form where there is one: ProbLog has no intervals, and they need clingo.
PolicyExtraction extract_readably(ExtractionRequest wanted) {
  try {
    wanted.compact = true;
    return extract_policy(wanted);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    wanted.compact = false;
    return extract_policy(wanted);
  }
}

void extract_for_report(const ReportRequest& request, ReportedPolicy& policy) {
  ExtractionRequest wanted;
  wanted.policy = policy.input;
  wanted.env = policy.env;
  wanted.discount = request.discount;
  wanted.episodes = kReportedEpisodes;
  wanted.write = false;
  wanted.watch.cancelled = request.watch.cancelled;
  try {
    PolicyExtraction found = extract_readably(wanted);
    if (!found.text.empty())
      policy.program = Input(found.extraction.as == Syntax::kAsp ? "policy.lp" : "policy.pl", found.text);
    policy.extraction = std::move(found);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    policy.no_extraction = error.what();
  }
}

/// The file of a program's text, which may be that of a run.
std::string program_file(const Input& input) {
  const RunFiles files{std::filesystem::path(input.name)};
  return input.is_file() && files.has_learned_rules() ? files.program_file().string() : input.name;
}

ReportedPolicy reported(const ReportRequest& request, const Input& input) {
  ReportedPolicy policy;
  policy.input = input;
  policy.is_run = input.is_file() && kind_of(input) == FileKind::kRun;
  const PolicySource source(input);
  policy.is_network = source.is_network();
  policy.task = task_for(request.env, {&source}, request.discount);
  policy.env = request.env ? *request.env : Input(source.task()->spec);
  EvaluationRequest wanted;
  wanted.policy = input;
  wanted.env = policy.env;
  wanted.select = request.select;
  wanted.shield = request.shield;
  wanted.discount = request.discount;
  policy.evaluation = evaluate_policy(wanted);
  if (source.is_program()) {
    policy.program = Input(program_file(input), source.bytes());
  } else if (!source.is_word()) {
    extract_for_report(request, policy);
  }
  return policy;
}

/// The one with the best return, then the fewest rules, then the first.
std::size_t best_of(const std::vector<ReportedPolicy>& policies) {
  const auto better = [](const ReportedPolicy& a, const ReportedPolicy& b) {
    const auto worth = [](const ReportedPolicy& policy) {
      const bool has = policy.evaluation && policy.evaluation->evaluation.has_return();
      return has ? policy.evaluation->evaluation.mean_return : -std::numeric_limits<double>::infinity();
    };
    const auto rules = [](const ReportedPolicy& policy) {
      const bool has = policy.extraction && policy.has_program();
      return has ? policy.extraction->extraction.best().size.rules : std::numeric_limits<std::size_t>::max();
    };
    const double difference = worth(a) - worth(b);
    constexpr double kSame = 1e-9;
    return difference > kSame || (!(difference < -kSame) && rules(a) < rules(b));
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < policies.size(); ++i) {
    const bool usable = policies[i].error.empty();
    if (usable && (!policies[best].error.empty() || better(policies[i], policies[best]))) best = i;
  }
  return best;
}

std::string lead_text(const std::vector<ReportedGroup>& groups) {
  std::size_t policies = 0;
  for (const ReportedGroup& group : groups) policies += group.policies.size();
  std::string text = fmt::format("Made by ndnf {}. ", build_info().version);
  if (policies > groups.size())
    text +=
        "Of several seeds, the one with the best return is shown in full (of equals the one with the fewest "
        "rules). ";
  return text + "This page is complete: it loads nothing from elsewhere.";
}

/// Each once, in the order of the groups.
std::vector<std::string> tasks_of(const std::vector<ReportedGroup>& groups) {
  std::vector<std::string> tasks;
  for (const ReportedGroup& group : groups) {
    const std::string& spec = group.shown().task->spec;
    if (std::find(tasks.begin(), tasks.end(), spec) == tasks.end()) tasks.push_back(spec);
  }
  return tasks;
}

}  // namespace

std::vector<ReportedGroup> reported_groups(const ReportRequest& request) {
  std::vector<ReportedGroup> groups;
  std::size_t total = 0;
  for (const Input& named : request.policies) {
    groups.emplace_back().name = named.name;
    for (const Input& input : policies_in({named})) {
      groups.back().policies.emplace_back().input = input;
      ++total;
    }
  }
  std::vector<Error> errors;
  std::size_t done = 0;
  for (ReportedGroup& group : groups) {
    for (ReportedPolicy& policy : group.policies) {
      request.watch.step(static_cast<double>(done++) / static_cast<double>(total + 1), policy.input.name);
      try {
        policy = reported(request, policy.input);
      } catch (const Cancelled&) {
        throw;
      } catch (const Error& error) {
        policy.error = error.what();
        errors.push_back(error);
      }
    }
    group.chosen = best_of(group.policies);
  }
  if (errors.size() == total) throw joined(errors);
  std::erase_if(groups, [](const ReportedGroup& group) { return !group.shown().error.empty(); });
  return groups;
}

PolicyReport report_runs(const ReportRequest& request) {
  const std::vector<ReportedGroup> groups = reported_groups(request);
  request.watch.step(0.95, "pictures");
  PolicyReport report;
  std::vector<std::string> names;
  for (const ReportedGroup& group : groups) {
    names.push_back(group.name);
    for (const ReportedPolicy& policy : group.policies) report.policies.push_back(policy.input.name);
  }
  report.env = fmt::format("{}", fmt::join(tasks_of(groups), " and "));
  report.document.title = fmt::format("{} on {}", fmt::join(names, " and "), report.env);
  report.document.lead.push_back({lead_text(groups)});
  const auto add = [&report](Section section) {
    if (!section.blocks.empty()) report.document.sections.push_back(std::move(section));
  };
  add(results_section(groups));
  add(program_section(groups));
  add(views_section(groups, request));
  add(episode_section(groups, request));
  add(proof_section(groups, request));
  add(difference_section(groups, request));
  add(training_section(groups));
  add(extraction_section(groups));
  add(weights_section(groups));
  add(seeds_section(groups));
  return report;
}

nlohmann::ordered_json to_json(const PolicyReport& report) {
  nlohmann::ordered_json json = {{"policies", report.policies}, {"env", report.env}};
  json.update(to_json(report.document));
  return json;
}

}  // namespace ndnf
