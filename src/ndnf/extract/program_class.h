#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/syntax/program.h"

// Minimality is relative to a class of programs; docs/extraction.md defines the classes.

namespace ndnf {

enum class ProgramClass : std::uint8_t {
  kE,  ///< Exactly-one: `action(a) :- box` over the atoms alone.
  kD,  ///< Default: E for all actions but one, which has the rule `action(d) :- not action(a), …`.
  kL,  ///< Ordered list.
  kP,  ///< ProbLog: per observation one annotated disjunction, or plain rules for a certain action.
};
/// "E".
std::string_view letter(ProgramClass of);

/// True if the bodies of all rules for actions are conjunctions of these atoms, not of actions, and no other
/// heads occur except these atoms (as predicates do). A conjunction leaves one set of values per group of
/// atoms, a box.
bool is_in_class_e(const Program& program, const Vocabulary& atoms);

/// True if the same holds except for one rule for an action, which negates every other action that has rules.
bool is_in_class_d(const Program& program, const Vocabulary& atoms);

/// True if in each of the observations either one annotated disjunction decides, whose probabilities sum to
/// 1, or plain rules for one action do. Then there is exactly one action in every possible world.
/// REQUIRES: the program is ProbLog and can be bound to the table's vocabulary.
bool is_in_class_p(const Program& program, const ObservationTable& table, std::span<const ObsId> where);

}  // namespace ndnf
