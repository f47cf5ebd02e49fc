#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// What a DRN file begins with: how its step bounds count, and the sizes that Storm wants to know in advance.
/// `stops`: an episode may be truncated by the step limit.
std::string drn_heading(const FiniteModel& model, bool stops, std::string_view type, std::size_t states,
                        std::size_t choices);

/// True if the first state of the file draws the start state, because there are several.
bool draws_start(const FiniteModel& model);

}  // namespace ndnf
