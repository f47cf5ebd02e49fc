#include "ndnf/extract/program_size.h"

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"

namespace ndnf {

ProgramSize size_of(const Program& program, const Scope& scope) {
  ProgramSize size;
  std::set<std::vector<std::pair<std::string, bool>>> bodies;  // what they observe
  for (const Statement& statement : program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    ++size.rules;
    size.literals += rule->body.size();
    if (action_of(rule->heads.front().atom)) ++size.action_rules;
    if (rule->heads.front().annotated) ++size.annotated_disjunctions;
    Conjunction observed;
    std::vector<std::pair<std::string, bool>> body;
    for (const BodyLiteral& literal : rule->body) {
      const auto atom = scope.vocabulary().find_atom(literal.atom);
      if (atom) observed.push_back({*atom, literal.positive});
      if (!atom) ++size.splits;
      if (atom || is_comparison(literal.atom)) body.emplace_back(literal.atom, literal.positive);
    }
    size.splits += splits(box_of(observed, scope), scope);
    if (!body.empty()) bodies.insert(std::move(body));
  }
  size.conjunctions = bodies.size();
  return size;
}

}  // namespace ndnf
