#pragma once

#include <string>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A task in Storm's DRN format, for model checkers and tools that synthesise policies: an MDP if every
/// decision state has an observation of its own, otherwise a POMDP. Choices have the names of the actions and
/// expected rewards, in the reward model `return`; states have the model's labels, and what they show as a
/// comment, `//[group=value & …]`. Outcomes that end the episode lead to absorbing states with the label
/// `end` and that of the tag. Start states and step limit are as in to_drn (drn.h).
std::string task_to_drn(const FiniteModel& model);

}  // namespace ndnf
