#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf::testing {

/// Seven cells in a row; the goal is the middle one. The agent sees no atoms, only four numbers: where it is
/// from −1 to 1, the square of that, its sine, and a constant.
inline FiniteModel number_corridor() {
  constexpr StateId kGoal = 3;
  constexpr StateId kCells = 2 * kGoal + 1;
  auto table = std::make_shared<ObservationTable>(
      std::make_shared<Vocabulary>(std::vector<AtomGroup>{}, std::vector<std::string>{"left", "right"}), 4);
  FiniteModelData data;
  const auto walk_to = [&](StateId next) {
    data.add_row(std::vector<Outcome>{{1, -1, next, next == kGoal, -1}});
  };
  for (StateId cell = 0; cell < kCells; ++cell) {
    const float x = static_cast<float>(cell) / kGoal - 1;
    data.observation.push_back(
        table->intern(std::vector<std::uint32_t>{}, std::vector<float>{x, x * x, std::sin(x), 0.5f}));
    if (cell == kGoal) {
      data.add_row({});
      data.add_row({});
      continue;
    }
    walk_to(cell == 0 ? 0 : cell - 1);
    walk_to(cell + 1 == kCells ? cell : cell + 1);
    data.starts.push_back({1.0 / (kCells - 1), cell});
  }
  data.observations = std::move(table);
  data.step_limit = 20;
  return FiniteModel(std::move(data));
}

}  // namespace ndnf::testing
