#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// One square: the probability of an action and whether the best action differs from the reference.
struct GridSquare {
  std::optional<double> probability;  ///< Empty if the policy is undefined here.
  std::string action;                 ///< The best action, as one letter.
  bool differs = false;
};

/// A policy over two numbers, one square per pair.
struct PolicyGrid {
  std::string title;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<GridSquare> squares;  ///< (rows, columns)
};

/// Grids side by side. Squares that differ are red, the more certain the policy the redder; others are shaded
/// by probability.
Svg draw(const std::string& title, const std::vector<PolicyGrid>& grids);

}  // namespace ndnf
