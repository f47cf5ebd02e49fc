#include "ndnf/symbolic/definitions.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "ndnf/logic/clingo.h"

namespace ndnf {
namespace {

// lit(P,O,1) chooses atom O for predicate P, lit(P,O,0) its negation. Only literals that hold wherever the
// predicate does are candidates, so a conjunction can only be too weak: each observation in which the
// predicate is false must break it.
constexpr std::string_view kSearch = R"(
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

bool marks_the_start(const std::string& atom) { return atom.ends_with("_agent"); }

// True if the literal holds in every observation in which the predicate does.
bool is_candidate(const InventedPredicate& predicate, const Scope& scope, AtomId atom, bool positive) {
  for (std::size_t k = 0; k < scope.size(); ++k) {
    if (predicate.truth[k] && scope.table().holds(scope.observations()[k], atom) != positive) return false;
  }
  return true;
}

std::string facts(std::span<const InventedPredicate> predicates, const Scope& scope) {
  std::string text;
  for (std::size_t k = 0; k < scope.size(); ++k) {
    text += fmt::format("shown({}).\n", k);
    for (const AtomId atom : scope.table().facts(scope.observations()[k])) {
      text += fmt::format("holds({},{}).\n", k, atom);
    }
  }
  for (std::size_t p = 0; p < predicates.size(); ++p) {
    text += fmt::format("predicate({}).\n", p);
    for (std::size_t k = 0; k < scope.size(); ++k) {
      if (!predicates[p].truth[k]) text += fmt::format("off({},{}).\n", p, k);
    }
    for (AtomId atom = 0; atom < scope.vocabulary().atom_count(); ++atom) {
      if (marks_the_start(scope.vocabulary().atom_name(atom))) continue;
      for (const int sign : {0, 1}) {
        if (is_candidate(predicates[p], scope, atom, sign == 1)) {
          text += fmt::format("candidate({},{},{}).\n", p, atom, sign);
        }
      }
    }
  }
  return text;
}

Definitions read_model(const std::vector<std::string>& shown, std::size_t predicates) {
  Definitions definitions(predicates);
  for (const std::string& atom : shown) {
    unsigned predicate = 0;
    unsigned literal = 0;
    unsigned sign = 0;
    [[maybe_unused]] const int read = std::sscanf(atom.c_str(), "lit(%u,%u,%u)", &predicate, &literal, &sign);
    assert(read == 3);
    definitions[predicate].push_back({literal, sign == 1});
  }
  for (auto& definition : definitions) std::sort(definition.begin(), definition.end());
  return definitions;
}

}  // namespace

DefinitionSearch define_by_conjunctions(std::span<const InventedPredicate> predicates, const Scope& scope,
                                        std::uint64_t solve_limit, std::size_t most) {
  if (predicates.empty()) return {true, {Definitions{}}, true};
  const ClingoAnswer answer =
      run_clingo(facts(predicates, scope) + std::string(kSearch),
                 {"--opt-mode=optN", "--opt-strategy=usc", fmt::format("{}", most + 1)}, solve_limit);
  DefinitionSearch result;
  result.proved = answer.status != ClingoAnswer::Status::kInterrupted;
  for (const auto& model : answer.models) {
    if (result.optima.size() == most) break;
    result.optima.push_back(read_model(model, predicates.size()));
  }
  std::sort(result.optima.begin(), result.optima.end());
  result.all = result.proved && answer.models.size() <= most;
  return result;
}

}  // namespace ndnf
