#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// One square: the probability of an action and whether the best action is another than it should be.
struct GridSquare {
  std::optional<double> probability;  ///< None: the policy says nothing here.
  std::string action;                 ///< The best one, in a letter.
  bool differs = false;
};

/// A policy over two numbers, one square per pair.
struct PolicyGrid {
  std::string title;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<GridSquare> squares;  ///< (rows, columns)
};

/// Grids beside each other. Squares that differ are red, the redder the surer the policy is; others are
/// shaded by probability.
Svg draw(const std::string& title, const std::vector<PolicyGrid>& grids);

}  // namespace ndnf
