#include "ndnf/extract/program_size.h"

#include <set>
#include <variant>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {

ProgramSize size_of(const Program& program, const Scope& scope) {
  ProgramSize size;
  std::set<Conjunction> bodies;
  for (const Statement& statement : program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    ++size.rules;
    size.literals += rule->body.size();
    if (action_of(rule->heads.front().atom)) ++size.action_rules;
    if (rule->heads.front().annotated) ++size.annotated_disjunctions;
    Conjunction observed;
    for (const BodyLiteral& literal : rule->body) {
      if (const auto atom = scope.vocabulary().find_atom(literal.atom)) {
        observed.push_back({*atom, literal.positive});
      } else {
        ++size.splits;
      }
    }
    size.splits += splits(box_of(observed, scope), scope);
    if (!observed.empty()) bodies.insert(observed);
  }
  size.conjunctions = bodies.size();
  return size;
}

}  // namespace ndnf
