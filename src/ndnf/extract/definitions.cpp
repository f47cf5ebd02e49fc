#include "ndnf/extract/definitions.h"

#include <algorithm>

#include <fmt/format.h>

#include "ndnf/solvers/clingo.h"

namespace ndnf {
namespace {

// lit(P,O,1) chooses atom O for predicate P, lit(P,O,0) its negation. Only literals that hold wherever the
// predicate does are candidates, so a conjunction can only be too weak: each observation in which the
// predicate is false must violate one of its literals. A minimum hitting set problem per predicate, coupled
// by the shared literals; NP-hard, so solve_limit bounds the search.
constexpr OwnText kSearch = R"(
{ lit(P,O,V) : candidate(P,O,V) } :- predicate(P).
:- predicate(P), not lit(P,_,_).
broken(P,S) :- lit(P,O,1), shown(S), not holds(S,O).
broken(P,S) :- lit(P,O,0), holds(S,O).
:- off(P,S), not broken(P,S).
:- lit(P,O,V), lit(Q,O,V), P < Q.
#minimize { 1@3,P,O,V : lit(P,O,V) }.
#minimize { 1@2 : lit(P,O,0), lit(Q,O,1), P != Q }.
#minimize { 1@1,P : lit(P,O,0) }.
#show lit/3.
)";

// True if the literal holds in every observation in which the predicate does.
bool is_candidate(const InventedPredicate& predicate, const Scope& scope, AtomId atom, bool positive) {
  for (std::size_t k = 0; k < scope.size(); ++k) {
    if (predicate.truth[k] && scope.table().holds(scope.observations()[k], atom) != positive) return false;
  }
  return true;
}

SolverText facts(std::span<const InventedPredicate> predicates, const Scope& scope) {
  SolverText text;
  for (std::size_t k = 0; k < scope.size(); ++k) {
    text.add("shown({}).\n", k);
    for (const AtomId atom : scope.table().facts(scope.observations()[k]))
      text.add("holds({},{}).\n", k, atom);
  }
  for (std::size_t p = 0; p < predicates.size(); ++p) {
    text.add("predicate({}).\n", p);
    for (std::size_t k = 0; k < scope.size(); ++k) {
      if (!predicates[p].truth[k]) text.add("off({},{}).\n", p, k);
    }
    for (AtomId atom = 0; atom < scope.vocabulary().atom_count(); ++atom) {
      if (!scope.vocabulary().may_define(atom)) continue;
      for (const int sign : {0, 1}) {
        if (is_candidate(predicates[p], scope, atom, sign == 1)) {
          text.add("candidate({},{},{}).\n", p, atom, sign);
        }
      }
    }
  }
  return text;
}

std::vector<Conjunction> read_model(const std::vector<std::string>& shown, std::size_t predicates,
                                    std::size_t atoms) {
  std::vector<Conjunction> definitions(predicates);
  for (const std::string& atom : shown) {
    const auto literal = numbers_of<3>(atom, "lit", {predicates, atoms, 2});
    if (!literal) throw_nonsense("clingo", "unexpected atom " + atom);
    definitions[(*literal)[0]].push_back({static_cast<AtomId>((*literal)[1]), (*literal)[2] == 1});
  }
  for (Conjunction& definition : definitions) std::sort(definition.begin(), definition.end());
  return definitions;
}

}  // namespace

DefinitionSearch define_by_conjunctions(std::span<const InventedPredicate> predicates, const Scope& scope,
                                        std::uint64_t solve_limit, std::size_t most) {
  if (predicates.empty()) return {true, {std::vector<Conjunction>{}}, true};
  const ClingoAnswer answer =
      run_clingo(facts(predicates, scope).add(kSearch),
                 {"--opt-mode=optN", "--opt-strategy=usc", fmt::format("{}", most + 1)}, solve_limit);
  DefinitionSearch result;
  result.proved = answer.status != ClingoAnswer::Status::kInterrupted;
  for (const auto& model : answer.models) {
    if (result.optima.size() == most) break;
    result.optima.push_back(read_model(model, predicates.size(), scope.vocabulary().atom_count()));
  }
  std::sort(result.optima.begin(), result.optima.end());
  result.all = result.proved && answer.models.size() <= most;
  return result;
}

}  // namespace ndnf
