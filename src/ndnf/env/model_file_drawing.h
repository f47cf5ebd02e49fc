#pragma once

#include <string>

#include "ndnf/base/svg.h"
#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A model file contains no drawings, so a state is shown as a card with its number, true atoms and labels.
std::string card_text(const FiniteModel& model, StateId state);
Svg card_svg(const FiniteModel& model, const std::string& name, StateId state);

}  // namespace ndnf
