#pragma once

#include <string_view>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// What a shield allows in every observation of the table. A shield is ASP over the table's atoms that
/// concludes forbidden(ACTION), with helper atoms and variables as in any program (docs/shields.md).
/// Every command gets its mask here, so it is the same in all. Throws Error with one line per mistake,
/// "where:line:column: …": all that a program can have wrong, rules about action(…), a shield that forbids
/// nothing, and an observation in which every action is forbidden.
ActionMask read_shield(std::string_view where, std::string_view text, const ObservationTable& table);

}  // namespace ndnf
