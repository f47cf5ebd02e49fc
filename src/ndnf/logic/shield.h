#pragma once

#include <string_view>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The actions that a shield allows in every observation of the table. A shield is an ASP program over the
/// table's atoms with heads forbidden(ACTION), and helper atoms and variables as in any program
/// (docs/shields.md). All commands get their mask here, so it is the same everywhere. Throws Error with one
/// line per mistake, "where:line:column: …": all mistakes of programs, rules about action(…), a shield that
/// forbids nothing, and an observation in which every action is forbidden.
ActionMask read_shield(std::string_view where, std::string_view text, const ObservationTable& table);

}  // namespace ndnf
