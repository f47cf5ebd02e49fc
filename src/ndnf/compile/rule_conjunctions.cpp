#include "ndnf/compile/rule_conjunctions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/compile/unfold.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

/// Numbers conjunctions in order of appearance.
class Collector {
 public:
  /// The numbers of a conjunction for this action: one, or two if it has no literals.
  std::set<std::size_t> add(const Conjunction& literals, ActionId action) {
    if (!literals.empty()) return {number(literals, action)};
    return {number({{0, true}}, action), number({{0, false}}, action)};
  }
  RuleConjunctions rules;

 private:
  std::size_t number(const Conjunction& literals, ActionId action) {
    const auto [entry, is_new] = numbers_.emplace(literals, rules.conjunctions.size());
    if (is_new) {
      rules.conjunctions.push_back(literals);
      rules.actions.emplace_back();
    }
    rules.actions[entry->second].insert(action);
    return entry->second;
  }

  std::map<Conjunction, std::size_t> numbers_;
};

/// The actions in the head of a rule; an annotated disjunction has several.
std::vector<ActionId> actions_of(const Rule& rule, const Vocabulary& vocabulary) {
  std::vector<ActionId> actions;
  for (const HeadAtom& head : rule.heads) {
    if (const auto action = action_of(head.atom)) actions.push_back(*vocabulary.find_action(*action));
  }
  return actions;
}

}  // namespace

RuleConjunctions rule_conjunctions(const Program& program, const Scope& scope) {
  if (BoundProgram(program, scope.table().shared_vocabulary()).has_draws()) {
    throw Error(program.source,
                "its helpers have probabilities, so its rules are not conjunctions of literals",
                "compile it, and start from the network");
  }
  const std::vector<Dnf> bodies =
      unfold(program, scope, program.syntax == Syntax::kAsp ? Care::kAll : Care::kScope);
  Collector collector;
  collector.rules.of_statement.resize(program.statements.size());
  for (std::size_t s = 0; s < bodies.size(); ++s) {
    const Rule* rule = std::get_if<Rule>(&program.statements[s].content);
    if (rule == nullptr) continue;
    for (const ActionId action : actions_of(*rule, scope.vocabulary())) {
      for (const Conjunction& conjunction : bodies[s]) {
        collector.rules.of_statement[s].merge(collector.add(conjunction, action));
      }
    }
  }
  return std::move(collector.rules);
}

RuleConjunctions rule_conjunctions(const NeuralDnf<double>& compiled) {
  Collector collector;
  for (std::size_t q = 0; q < compiled.conjunctions.cols(); ++q) {
    const Conjunction literals = literals_of_column(compiled.conjunctions, q);
    collector.rules.of_statement.emplace_back();
    for (std::size_t a = 0; a < compiled.disjunctions.cols(); ++a) {
      if (compiled.disjunctions(q, a) <= 0) continue;
      collector.rules.of_statement[q].merge(collector.add(literals, static_cast<ActionId>(a)));
    }
  }
  return std::move(collector.rules);
}

NeuralDnf<double> with_rules(const RuleConjunctions& rules, const std::set<std::size_t>& locked, double scale,
                             const NeuralDnf<double>& spare) {
  const std::size_t count = rules.conjunctions.size();
  NeuralDnf<double> actor = spare;
  actor.conjunctions = Matrix<double>(spare.conjunctions.rows(), count + spare.conjunctions.cols());
  for (std::size_t q = 0; q < count; ++q) {
    const double weight = locked.contains(q) ? kSymbolicWeight : scale;
    for (const AtomLiteral& literal : rules.conjunctions[q]) {
      actor.conjunctions(literal.atom, q) = literal.positive ? weight : -weight;
    }
  }
  for (std::size_t i = 0; i < spare.conjunctions.rows(); ++i) {
    std::copy_n(spare.conjunctions.row(i), spare.conjunctions.cols(), actor.conjunctions.row(i) + count);
  }
  actor.disjunctions = Matrix<double>(count + spare.disjunctions.rows(), spare.disjunctions.cols());
  for (std::size_t q = 0; q < count; ++q) {
    for (const ActionId action : rules.actions[q]) actor.disjunctions(q, action) = scale;
  }
  for (std::size_t q = 0; q < spare.disjunctions.rows(); ++q) {
    std::copy_n(spare.disjunctions.row(q), spare.disjunctions.cols(), actor.disjunctions.row(count + q));
  }
  return actor;
}

}  // namespace ndnf
