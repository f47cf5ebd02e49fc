#pragma once

#include <string>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/tasks/registry.h"

namespace ndnf::testing {

/// Every environment, once for each way it can be observed.
inline std::vector<std::string> all_specs() {
  std::vector<std::string> specs;
  for (const TaskKind& kind : task_kinds()) {
    if (!make_task(kind.name).is_finite()) continue;
    std::vector<std::string> views;
    for (const ConfigField& field : kind.parameters) {
      if (field.key == "obs") views = field.choices;
    }
    if (views.empty()) specs.push_back(kind.name);
    for (const std::string& view : views) specs.push_back(kind.name + ":obs=" + view);
  }
  return specs;
}

/// In each observation one action, drawn at random.
inline PolicyTable random_deterministic(const FiniteModel& model, std::uint64_t seed) {
  RandomSequence random{RandomStream(seed, 0)};
  const std::size_t actions = model.action_count();
  std::vector<double> rows(model.observations().size() * actions, 0.0);
  for (std::size_t obs = 0; obs < model.observations().size(); ++obs) {
    rows[obs * actions + random.below(static_cast<std::uint32_t>(actions))] = 1;
  }
  return {actions, std::move(rows)};
}

/// In each observation all actions, with random probabilities.
inline PolicyTable random_stochastic(const FiniteModel& model, std::uint64_t seed) {
  RandomSequence random{RandomStream(seed, 1)};
  const std::size_t actions = model.action_count();
  std::vector<double> rows;
  for (std::size_t obs = 0; obs < model.observations().size(); ++obs) {
    std::vector<double> row(actions);
    double sum = 0;
    for (double& p : row) sum += p = 0.05 + random.uniform();
    for (const double p : row) rows.push_back(p / sum);
  }
  return {actions, std::move(rows)};
}

}  // namespace ndnf::testing
