#include "ndnf/verify/rule_firings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ndnf/mdp/reserved_names.h"

namespace ndnf {

RuleName rule_name(const Program& program, std::size_t statement) {
  const Rule& rule = std::get<Rule>(program.statements[statement].content);
  return {statement, rule.place.line, shown_text(rule, program.syntax)};
}

std::string to_string(const RuleName& rule) {
  return rule.line == 0 ? rule.text : fmt::format("line {}: {}", rule.line, rule.text);
}

std::vector<std::string> fired_rules(const Program& program, const BoundProgram& bound,
                                     const ObservationTable& table, ObsId obs) {
  std::vector<std::string> rules;
  for (const std::size_t statement : bound.fired(table, obs))
    rules.push_back(to_string(rule_name(program, statement)));
  return rules;
}

RuleFirings::RuleFirings(const Program& program, const BoundProgram& bound, const ObservationTable& table,
                         std::span<const ObsId> scope)
    : program_(program) {
  constexpr std::size_t kNoRule = static_cast<std::size_t>(-1);
  std::vector<std::size_t> rule_of(program.statements.size(), kNoRule);
  std::vector<std::size_t> head_of(program.statements.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_place;
  std::map<std::string, std::size_t> heads;
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    const Rule* rule = std::get_if<Rule>(&program.statements[s].content);
    // A constraint that never fires is not dead.
    if (rule == nullptr || is_ours(rule->heads[0].atom)) continue;
    head_of[s] = heads.try_emplace(rule->heads[0].atom, heads.size()).first->second;
    rule_of[s] = rules_.size();
    if (rule->place.line > 0) {
      rule_of[s] = by_place.try_emplace({rule->place.line, rule->place.column}, rules_.size()).first->second;
    }
    if (rule_of[s] == rules_.size()) rules_.push_back({s, rule->heads[0].annotated, {}});
  }
  for (const ObsId obs : scope) {
    for (const std::size_t s : bound.fired(table, obs)) {
      if (rule_of[s] != kNoRule) rules_[rule_of[s]].firings.push_back({obs, head_of[s]});
    }
  }
  for (RuleUse& rule : rules_) {
    std::sort(rule.firings.begin(), rule.firings.end());
    rule.firings.erase(std::unique(rule.firings.begin(), rule.firings.end()), rule.firings.end());
  }
}

std::vector<RuleName> RuleFirings::dead() const {
  std::vector<RuleName> names;
  for (const RuleUse& rule : rules_) {
    if (rule.firings.empty()) names.push_back(rule_name(program_, rule.statement));
  }
  return names;
}

std::vector<RuleFirings::Subsumed> RuleFirings::subsumed() const {
  // Only rules that fire at a rule's first firing can subsume it.
  std::map<Firing, std::vector<std::size_t>> at;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].annotated) continue;
    for (const Firing& firing : rules_[i].firings) at[firing].push_back(i);
  }
  const auto within = [&](std::size_t i, std::size_t j) {
    return std::includes(rules_[j].firings.begin(), rules_[j].firings.end(), rules_[i].firings.begin(),
                         rules_[i].firings.end());
  };
  std::vector<Subsumed> found;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].annotated || rules_[i].firings.empty()) continue;
    const Firing first = rules_[i].firings.front();
    for (const std::size_t j : at.at(first)) {
      if (i == j || !within(i, j) || (i < j && within(j, i))) continue;
      found.push_back(
          {rule_name(program_, rules_[i].statement), rule_name(program_, rules_[j].statement), first.obs});
      break;
    }
  }
  return found;
}

}  // namespace ndnf
