#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// What the invented predicates mean (the paper's step 5).
struct PredicateDefinitions {
  bool proved = true;              ///< False: the search for smallest conjunctions reached its limit.
  std::vector<std::string> names;  ///< Those that the program uses.
  std::vector<std::vector<std::string>> visited;  ///< One conjunction each, right wherever the policy comes;
                                                  ///< empty if no such set of definitions exists.
  std::size_t optimal_answers = 0;                ///< How many smallest sets there are,
  bool all_answers = true;                        ///< or at least so many.
  std::size_t disjunctions = 0;  ///< Predicates that need several rules on all reachable images.
};

/// Lets a program over invented predicates stand alone: each that it uses is defined by the fewest
/// conjunctions of raw atoms that are right on every reachable image. Beside that, what the paper's own step
/// finds where the policy comes. Observations are the environment's.
PredicateDefinitions add_definitions(Program& program, const ActorView& view, const FiniteModel& model,
                                     const std::vector<ObsId>& reachable, const std::vector<ObsId>& visited,
                                     std::uint64_t solve_limit);

/// The rules that define one of them so.
std::vector<Statement> definition_of(AtomId predicate, const ActorView& view, const FiniteModel& model,
                                     const std::vector<ObsId>& reachable, std::uint64_t solve_limit);

}  // namespace ndnf
