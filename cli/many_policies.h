#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "ndnf/inputs/run_folder.h"
#include "ndnf/pipeline/many_policies.h"
#include "ndnf/pipeline/policy_summaries.h"

namespace ndnf::cli {

/// The POLICY arguments of a command.
struct PolicyArguments {
  std::vector<Input> named;
  std::vector<Input> policies;  ///< With the runs of folders.

  /// One policy is reported in full, several (or a folder of runs) by a table.
  bool many() const { return policies.size() > 1 || policies.front().name != named.front().name; }
};

inline PolicyArguments expanded(const std::vector<Input>& named) { return {named, policies_in(named)}; }

/// The sentences of those without a result, of the first whose result is a failure, and how many more there
/// are; and the exit code: 2 if a policy has no result, otherwise 1.
template <class Result>
std::pair<std::string, int> failures_of(const std::vector<PolicyOutcome<Result>>& outcomes,
                                        const std::function<std::string(const Result&)>& failure_of) {
  std::vector<std::string> sentences;
  std::string first;
  std::size_t failed = 0;
  for (const PolicyOutcome<Result>& outcome : outcomes) {
    if (outcome.error) {
      sentences.push_back(outcome.error->text(option_text));
    } else if (std::string sentence = failure_of(*outcome.result); !sentence.empty()) {
      if (failed++ == 0) first = std::move(sentence);
    }
  }
  const int code = sentences.empty() ? 1 : 2;
  if (failed > 1) first += fmt::format(" (and {} more like it)", failed - 1);
  if (failed > 0) sentences.push_back(std::move(first));
  return {fmt::format("{}", fmt::join(sentences, "\n")), code};
}

/// A table for the terminal; in JSON one object per policy and one with the summary.
template <class Result, class Text>
Reply many_replies(std::vector<PolicyOutcome<Result>> outcomes, Text text,
                   const std::function<std::string(const Result&)>& failure_of) {
  auto [failure, code] = failures_of(outcomes, failure_of);
  const auto kept = std::make_shared<const std::vector<PolicyOutcome<Result>>>(std::move(outcomes));
  return {[kept] { return ndnf::to_json(*kept, summary_of(*kept)); }, [kept, text] { return text(*kept); },
          std::move(failure), code, true};
}

/// "10 policies", "10 policies, 2 of them without a result".
inline std::string counts_text(const PolicyCounts& counts) {
  std::string text = fmt::format("{} {}", counts.policies, counts.policies == 1 ? "policy" : "policies");
  return counts.errors == 0 ? text : text + fmt::format(", {} of them without a result", counts.errors);
}

}  // namespace ndnf::cli
