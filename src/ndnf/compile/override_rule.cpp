#include "ndnf/compile/override_rule.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ndnf/boxes/box.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

bool mentions(const Program& program, const std::string& atom) {
  return std::any_of(program.statements.begin(), program.statements.end(), [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) return false;
    const auto is_atom = [&](const auto& place) { return place.atom == atom; };
    return std::any_of(rule->heads.begin(), rule->heads.end(), is_atom) ||
           std::any_of(rule->body.begin(), rule->body.end(), is_atom);
  });
}

std::string free_name(const Program& program, const Vocabulary& vocabulary) {
  for (std::size_t number = 1;; ++number) {
    std::string name = fmt::format("override_{}", number);
    if (!mentions(program, name) && !vocabulary.find_atom(name)) return name;
  }
}

Statement rule(std::string head, std::vector<BodyLiteral> body) {
  Rule made;
  made.heads.push_back({std::move(head)});
  made.body = std::move(body);
  return {{}, std::move(made), ""};
}

bool decides(const Statement& statement) {
  const Rule* rule = std::get_if<Rule>(&statement.content);
  return rule != nullptr && action_of(rule->heads.front().atom).has_value();
}

}  // namespace

Program with_override(Program program, const std::vector<BodyLiteral>& when, const std::string& action,
                      const Vocabulary& vocabulary) {
  std::vector<Statement> added;
  BodyLiteral condition = when.front();
  if (when.size() > 1) {
    condition = {free_name(program, vocabulary), true};
    added.push_back(rule(condition.atom, when));
  }
  added.push_back(rule(action_atom(action), {condition}));
  for (Statement& statement : program.statements) {
    if (!decides(statement)) continue;
    std::get<Rule>(statement.content).body.push_back({condition.atom, !condition.positive});
    statement.remark.clear();  // its share of decisions is no longer valid
  }
  added.front().comments = {"", "an edit: takes precedence over all other rules"};
  program.statements.insert(program.statements.end(), added.begin(), added.end());
  return program;
}

std::optional<Conjunction> conjunction_for(const PositionSet& wanted, const Scope& scope) {
  const Box box = hull(scope, wanted);
  if (members(box, scope) != wanted) return std::nullopt;
  return literals(simplified(box, scope), scope);
}

}  // namespace ndnf
