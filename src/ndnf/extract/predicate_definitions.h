#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The meaning of the invented predicates (the paper's step 5).
struct PredicateDefinitions {
  bool proved = true;              ///< False if the search for smallest conjunctions reached its limit.
  std::vector<std::string> names;  ///< Those that the program uses.
  std::vector<std::vector<std::string>> visited;  ///< One conjunction each, correct where the policy visits;
                                                  ///< empty if no such set of definitions exists.
  std::size_t optimal_answers = 0;                ///< The number of smallest sets,
  bool all_answers = true;                        ///< or a lower bound if false.
  std::size_t disjunctions = 0;  ///< Predicates that need several rules on all reachable images.
};

/// Makes a program over invented predicates self-contained: each predicate that it uses is defined by the
/// fewest conjunctions of raw atoms that are correct on every reachable image. Also returns what the paper's
/// own step finds on the visited observations. Observations are the environment's.
PredicateDefinitions add_definitions(Program& program, const ActorView& view, const FiniteModel& model,
                                     const std::vector<ObsId>& reachable, const std::vector<ObsId>& visited,
                                     std::uint64_t solve_limit);

/// The rules that define one predicate in this way.
std::vector<Statement> definition_of(AtomId predicate, const ActorView& view, const FiniteModel& model,
                                     const std::vector<ObsId>& reachable, std::uint64_t solve_limit);

}  // namespace ndnf
