#include "ndnf/extract/predicate_definitions.h"

#include <set>
#include <utility>
#include <variant>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/extract/definitions.h"
#include "ndnf/nodes/layered_rules.h"

namespace ndnf {
namespace {

std::vector<AtomId> used_atoms(const Program& program, const Vocabulary& invented) {
  std::set<AtomId> used;
  for (const Statement& statement : program.statements) {
    for (const BodyLiteral& literal : std::get<Rule>(statement.content).body) {
      if (const auto atom = invented.find_atom(literal.atom)) used.insert(*atom);
    }
  }
  return {used.begin(), used.end()};
}

std::vector<bool> truth_values(AtomId predicate, const ActorView& view, const std::vector<ObsId>& images) {
  std::vector<bool> truth;
  for (const ObsId obs : images) truth.push_back(view.table->holds(view.seen_as[obs], predicate));
  return truth;
}

// The fewest conjunctions of raw atoms that are equivalent to a predicate.
Dnf smallest_disjunction(const std::vector<bool>& truth, const Scope& images, std::uint64_t solve_limit) {
  std::vector<std::uint64_t> classes;
  for (const bool holds : truth) classes.push_back(holds ? 1 : 2);
  Dnf dnf;
  ExactOptions options;
  options.solve_limit = solve_limit;
  for (const ActionRule& rule : extract_exactly(images, classes, options).rules) {
    if (rule.action == 0) dnf.push_back(rule.body);
  }
  return dnf;
}

std::vector<std::string> written(const Conjunction& conjunction, const Vocabulary& vocabulary) {
  std::vector<std::string> texts;
  for (const AtomLiteral& literal : conjunction) {
    texts.push_back((literal.positive ? "" : "not ") + vocabulary.atom_name(literal.atom));
  }
  return texts;
}

}  // namespace

std::vector<Statement> definition_of(AtomId predicate, const ActorView& view, const FiniteModel& model,
                                     const std::vector<ObsId>& reachable, std::uint64_t solve_limit) {
  const Scope images(model.shared_observations(), reachable);
  const Dnf dnf = smallest_disjunction(truth_values(predicate, view, reachable), images, solve_limit);
  return define(view.table->vocabulary().atom_name(predicate), dnf, model.vocabulary());
}

PredicateDefinitions add_definitions(Program& program, const ActorView& view, const FiniteModel& model,
                                     const std::vector<ObsId>& reachable, const std::vector<ObsId>& visited,
                                     std::uint64_t solve_limit) {
  PredicateDefinitions result;
  std::vector<InventedPredicate> predicates;
  for (const AtomId atom : used_atoms(program, view.table->vocabulary())) {
    const std::string& name = view.table->vocabulary().atom_name(atom);
    result.names.push_back(name);
    predicates.push_back({name, truth_values(atom, view, visited)});
    std::vector<Statement> rules = definition_of(atom, view, model, reachable, solve_limit);
    if (rules.size() > 1) ++result.disjunctions;
    for (Statement& rule : rules) program.statements.push_back(std::move(rule));
  }
  const DefinitionSearch search =
      define_by_conjunctions(predicates, Scope(model.shared_observations(), visited), solve_limit);
  result.proved = search.proved;
  result.optimal_answers = search.optima.size();
  result.all_answers = search.all;
  if (search.optima.empty()) return result;
  for (const Conjunction& conjunction : search.optima.front()) {
    result.visited.push_back(written(conjunction, model.vocabulary()));
  }
  return result;
}

}  // namespace ndnf
