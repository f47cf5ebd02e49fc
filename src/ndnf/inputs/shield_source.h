#pragma once

#include <optional>
#include <string>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// The text of a shield, for logic/shield.h. Throws Error if its name does not end in `.lp`.
std::string read_shield_file(const Input& input);

/// The actions that a shield allows; empty without one. Throws Error as read_shield does.
std::optional<ActionMask> read_shield_option(const std::optional<Input>& input,
                                             const ObservationTable& table);

/// The actions allowed by the shield stored in a checkpoint; empty if it has none.
std::optional<ActionMask> shield_of(const std::string& where, const Checkpoint& checkpoint,
                                    const ObservationTable& table);

/// The actions that a task offers and the shields of a policy allow; empty if these are all. Throws Error
/// naming an observation in which there is none.
std::optional<ActionMask> allowed_actions(const std::string& policy, const FiniteModel& model,
                                          const std::optional<ActionMask>& own_shield,
                                          const std::optional<ActionMask>& shield = std::nullopt);

}  // namespace ndnf
