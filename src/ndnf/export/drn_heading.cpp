#include "ndnf/export/drn_heading.h"

#include <fmt/format.h>

namespace ndnf {

bool draws_start(const FiniteModel& model) { return model.starts().size() > 1; }

std::string drn_heading(const FiniteModel& model, bool stops, std::string_view type, std::size_t states,
                        std::size_t choices) {
  std::string text = draws_start(model) ? "// State 0 draws the start state: add 1 to step bounds.\n"
                                        : "// Step bounds count the agent's decisions.\n";
  if (stops) {
    text += fmt::format("// Episodes stop after {} steps: give properties a step bound of at most {}.\n",
                        model.horizon(), model.horizon() + (draws_start(model) ? 1 : 0));
  }
  if (model.discount() < 1)
    text += fmt::format("// Rewards are discounted by {} per step.\n", model.discount());
  return text +
         fmt::format(
             "@type: {}\n@parameters\n\n@reward_models\nreturn\n@nr_states\n{}\n@nr_choices\n{}\n@model\n",
             type, states, choices);
}

}  // namespace ndnf
