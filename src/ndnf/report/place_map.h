#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// What a picture of a policy shows: the actions, or the expected returns.
enum class PolicyAspect : std::uint8_t { kActions, kValues };

/// An action in pictures; its colour is that of its number (base/palette.h).
struct DrawnAction {
  std::string name;
  std::string mark;  ///< One of ←↑→↓↖↗↘↙, drawn as an arrow, or a few letters.
};

/// One place of a map.
struct MapSquare {
  bool exists = false;
  std::vector<double> probabilities{};  ///< Per action; empty where nothing is decided.
  std::string undefined{};              ///< Why the policy has no action here, if it has none.
  std::optional<double> value{};        ///< The expected return from here.
  bool visited = true;                  ///< Whether an episode of the policy may come here.
  std::optional<double> visits{};       ///< Expected decisions in an episode here.
  std::optional<std::size_t> state{};   ///< The number of the task's state.
  bool differs = false;                 ///< The reference never takes its most probable action.
  std::vector<std::string> labels{};    ///< "goal", "start", …
  std::string description{};            ///< What the agent observes; shown as a tooltip.
};

struct MapPanel {
  std::string title;
  std::vector<MapSquare> squares;  ///< (rows, columns)
};

/// A wall to the right of a square, or below it.
struct MapWall {
  std::size_t row = 0;
  std::size_t column = 0;
  bool below = false;
};

/// A policy in the places of a task, in one or more panels of the same rows and columns.
struct PlaceMap {
  std::string title;
  std::string remark{};  ///< One more line, below the title.
  std::vector<std::string> rows;
  std::vector<std::string> columns;  ///< Perhaps empty names.
  std::string row_title{};
  std::string column_title{};
  std::vector<DrawnAction> actions;
  /// The action whose probability is printed; without one, that of the most probable action.
  std::optional<std::size_t> probability_of{};
  std::vector<MapWall> walls{};
  std::vector<MapPanel> panels;
  std::size_t left_out = 0;                      ///< Panels that were not drawn.
  std::string reference = "the optimal policy";  ///< What `differs` compares with.
  bool sampled = false;                          ///< Visits are those of some sampled episodes.
};

/// Panels side by side, each cut to the rows and columns that have places, and a legend of what occurs.
Svg draw(const PlaceMap& map, PolicyAspect aspect);

/// The same for a terminal of `width` columns.
std::string to_text(const PlaceMap& map, PolicyAspect aspect, std::size_t width = 80);

/// The most probable action of a square. REQUIRES: it has probabilities.
std::size_t best_action(const std::vector<double>& probabilities);

/// The direction of an arrow mark, y downward; nothing for letters.
std::optional<std::pair<double, double>> arrow_direction(const std::string& mark);

/// The rows and columns of a panel that have places: [first_row, end_row) × [first_column, end_column).
struct PanelCut {
  std::size_t first_row = 0;
  std::size_t end_row = 0;
  std::size_t first_column = 0;
  std::size_t end_column = 0;
};
PanelCut cut_of(const PlaceMap& map, const MapPanel& panel);

/// The printed probability of a square: nothing if it is certain, or nothing is decided there.
std::optional<double> printed_probability(const PlaceMap& map, const MapSquare& square);

}  // namespace ndnf
