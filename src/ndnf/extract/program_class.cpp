#include "ndnf/extract/program_class.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "ndnf/logic/bound_program.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

std::vector<const Rule*> rules_for_actions(const Program& program) {
  std::vector<const Rule*> rules;
  for (const Statement& statement : program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule != nullptr && action_of(rule->heads.front().atom)) rules.push_back(rule);
  }
  return rules;
}

/// True if all heads other than actions are among these atoms, so that none is a helper.
bool has_no_helpers(const Program& program, const Vocabulary& atoms) {
  return std::all_of(program.statements.begin(), program.statements.end(), [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule == nullptr || action_of(rule->heads.front().atom) ||
           atoms.find_atom(rule->heads.front().atom);
  });
}

bool is_over(const Rule& rule, const Vocabulary& atoms) {
  return std::all_of(rule.body.begin(), rule.body.end(),
                     [&](const BodyLiteral& literal) { return atoms.find_atom(literal.atom).has_value(); });
}

/// `action(d) :- not action(a), …` for all `others`.
bool is_default(const Rule& rule, const std::set<std::string>& others) {
  std::set<std::string> negated;
  for (const BodyLiteral& literal : rule.body) {
    if (literal.positive) return false;
    negated.insert(literal.atom);
  }
  return negated == others;
}

/// True if these rules, firing together, yield exactly one action in every possible world.
bool is_one_decision(const std::vector<const Rule*>& fired) {
  if (fired.empty()) return false;
  if (fired.size() == 1 && fired[0]->heads[0].annotated) {
    return std::abs(sum_of_annotations(*fired[0]) - 1) <= kLargestSum - 1;
  }
  return std::all_of(fired.begin(), fired.end(), [&](const Rule* rule) {
    return !rule->heads[0].annotated && rule->heads[0].atom == fired[0]->heads[0].atom;
  });
}

}  // namespace

std::string_view letter(ProgramClass of) {
  constexpr std::string_view kLetters = "EDLP";
  return kLetters.substr(static_cast<std::size_t>(of), 1);
}

bool is_in_class_e(const Program& program, const Vocabulary& atoms) {
  const auto rules = rules_for_actions(program);
  return has_no_helpers(program, atoms) &&
         std::all_of(rules.begin(), rules.end(), [&](const Rule* rule) { return is_over(*rule, atoms); });
}

bool is_in_class_d(const Program& program, const Vocabulary& atoms) {
  std::set<std::string> others;
  std::vector<const Rule*> rest;
  for (const Rule* rule : rules_for_actions(program)) {
    if (is_over(*rule, atoms) && !rule->body.empty()) {
      others.insert(rule->heads[0].atom);
    } else {
      rest.push_back(rule);
    }
  }
  return has_no_helpers(program, atoms) && rest.size() == 1 && !others.contains(rest[0]->heads[0].atom) &&
         is_default(*rest[0], others);
}

bool is_in_class_p(const Program& program, const ObservationTable& table, std::span<const ObsId> where) {
  const BoundProgram bound(program, table.shared_vocabulary());
  return std::all_of(where.begin(), where.end(), [&](ObsId obs) {
    std::vector<const Rule*> fired;
    for (const std::size_t s : bound.fired(table, obs)) {
      const Rule& rule = std::get<Rule>(program.statements[s].content);
      if (action_of(rule.heads[0].atom)) fired.push_back(&rule);
    }
    return is_one_decision(fired);
  });
}

}  // namespace ndnf
