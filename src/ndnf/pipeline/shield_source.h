#pragma once

#include <optional>
#include <string>

#include "ndnf/mdp/policy.h"
#include "ndnf/model/checkpoint.h"

namespace ndnf {

/// The rules in a file, for logic/shield.h. Throws Error for what is not `.lp`.
std::string read_shield_file(const std::string& file);

/// What the rules in a file allow; nothing without one. Throws Error as read_shield does.
std::optional<ActionMask> read_shield_option(const std::optional<std::string>& file,
                                             const ObservationTable& table);

/// What the shield allows that a checkpoint was made under; nothing without one.
std::optional<ActionMask> shield_of(const std::string& where, const Checkpoint& checkpoint,
                                    const ObservationTable& table);

/// What both shields of a policy allow. Throws Error naming an observation in which that is nothing.
std::optional<ActionMask> intersection(const std::string& policy, const std::optional<ActionMask>& own,
                                       const std::optional<ActionMask>& other, const ObservationTable& table);

}  // namespace ndnf
