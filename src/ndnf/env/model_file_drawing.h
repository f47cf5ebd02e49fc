#pragma once

#include <memory>
#include <string>

#include "ndnf/base/svg.h"
#include "ndnf/env/task.h"
#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// A model file contains no drawings, so a state is shown as a card with its number, true atoms and labels.
std::string card_text(const FiniteModel& model, StateId state);
Svg card_svg(const FiniteModel& model, const std::string& name, StateId state);

/// Gives a task its layout, and draws a state from now on as the map of its panel with the state marked in
/// it. States that lie nowhere, or on a map of more than a few dozen rows or columns, remain cards.
void draw_as_map(Task& task, std::shared_ptr<const Layout> layout, const std::string& name);

}  // namespace ndnf
