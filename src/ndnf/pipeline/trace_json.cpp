#include "ndnf/pipeline/trace_json.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace ndnf {

nlohmann::ordered_json to_json(const Trace& trace, const FiniteModel& model) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const TraceStep& step : trace.steps) {
    nlohmann::ordered_json json = {
        {"state", step.state}, {"observation", model.observations().describe(model.observation(step.state))}};
    if (step.action) json["action"] = model.vocabulary().action_name(*step.action);
    if (step.reward) json["reward"] = *step.reward;
    if (step.end) json["end"] = true;
    if (step.tag >= 0) json["tag"] = model.tags()[static_cast<std::size_t>(step.tag)];
    if (step.truncated) json["truncated"] = true;
    steps.push_back(std::move(json));
  }
  return steps;
}

}  // namespace ndnf
