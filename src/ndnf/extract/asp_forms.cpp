#include "ndnf/extract/asp_forms.h"

#include <algorithm>
#include <utility>

#include "ndnf/nodes/layered_rules.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/ordered_rules.h"

namespace ndnf {
namespace {

std::string head_of(ActionId action, const Vocabulary& vocabulary) {
  return action_atom(vocabulary.action_name(action));
}

Statement rule_for(const std::string& head, const Conjunction& body, const Vocabulary& vocabulary) {
  return define(head, {body}, vocabulary).front();
}

Statement rule_for(std::string head, std::vector<BodyLiteral> body) {
  return {{}, Rule{{{std::move(head)}}, std::move(body), {}}, ""};
}

}  // namespace

Program exactly_one_program(std::span<const ActionRule> rules, const Vocabulary& vocabulary) {
  Program program;
  for (const ActionRule& rule : rules) {
    program.statements.push_back(rule_for(head_of(rule.action, vocabulary), rule.body, vocabulary));
  }
  return program;
}

Program default_program(const DefaultProgram& rules, const Vocabulary& vocabulary) {
  Program program = exactly_one_program(rules.rules, vocabulary);
  std::vector<BodyLiteral> none;
  for (const ActionRule& rule : rules.rules) {
    BodyLiteral other{head_of(rule.action, vocabulary), false};
    if (none.empty() || none.back().atom != other.atom) none.push_back(std::move(other));
  }
  program.statements.push_back(rule_for(head_of(rules.otherwise, vocabulary), std::move(none)));
  return program;
}

Program list_program(const DecisionList& list, const Vocabulary& vocabulary, const Vocabulary& taken) {
  OrderedRules rules{{}, list.otherwise};
  for (const ActionRule& entry : list.entries) {
    rules.rules.push_back({entry.action, std::get<Rule>(rule_for("", entry.body, vocabulary).content).body});
  }
  return ordered_program(rules, vocabulary, &taken);
}

}  // namespace ndnf
