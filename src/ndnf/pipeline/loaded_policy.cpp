#include "ndnf/pipeline/loaded_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/logic/read_program.h"
#include "ndnf/pipeline/policy_source.h"
#include "ndnf/pipeline/shield_source.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {

LoadedPolicy load_with_program(const std::string& policy, const Environment& environment,
                               const std::optional<Selection>& selection,
                               const std::optional<std::string>& shield) {
  const Selection how = selection ? *selection : selection_of(policy);
  const ObservationTable& table = environment.model.observations();
  const auto mask = read_shield_option(shield, table);
  if (!policy.ends_with(".lp") && !policy.ends_with(".pl")) {
    const ShieldedRows rows = load_rows(policy, environment, mask);
    return {policy, how, rows.selected(how), rows.mask.has_value()};
  }
  Program program = read_program(policy, table.vocabulary());
  BoundProgram bound(program, table.shared_vocabulary());
  PolicyTable rows = restricted(tabulate(bound, table), mask).selected(how);
  return {policy, how, std::move(rows), mask.has_value(), std::move(program), std::move(bound)};
}

std::vector<std::string> fired_rules(const LoadedPolicy& policy, const ObservationTable& table, ObsId obs) {
  std::vector<std::string> rules;
  if (!policy.bound) return rules;
  for (const std::size_t statement : policy.bound->fired(table, obs)) {
    rules.push_back(to_string(rule_name(*policy.program, statement)));
  }
  return rules;
}

std::string row_text(const LoadedPolicy& policy, const Vocabulary& vocabulary, ObsId obs) {
  const bool forbidden = policy.shielded && !policy.table.defined(obs);
  return row_text(policy.table, vocabulary, obs) + (forbidden ? " under the shield" : "");
}

std::string row_text(const PolicyTable& policy, const Vocabulary& vocabulary, ObsId obs) {
  if (!policy.defined(obs)) return policy.defect(obs);
  std::vector<std::string> parts;
  for (ActionId a = 0; a < policy.action_count(); ++a) {
    const double p = policy.row(obs)[a];
    if (p == 1) return vocabulary.action_name(a);
    if (p > 0) parts.push_back(fmt::format("{} {:.4g}", vocabulary.action_name(a), p));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace ndnf
