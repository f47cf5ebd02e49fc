#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// Where a state lies in a picture of the task.
struct StatePlace {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t panel = 0;
  bool operator==(const StatePlace&) const = default;
};

/// A wall between a place and its right neighbour, or the one below it, in every panel.
struct LayoutWall {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  bool below = false;
  bool operator==(const LayoutWall&) const = default;
};

/// Where the states of a task lie: in panels of rows and columns, at most one state in a place. States that
/// lie nowhere are not drawn. What it says is for people: nothing but pictures depends on it.
struct Layout {
  std::vector<std::string> rows;     ///< Their names, from the top.
  std::vector<std::string> columns;  ///< From the left.
  std::string row_title{};           ///< What the names of rows are: "player's sum".
  std::string column_title{};
  std::vector<std::string> panels{""};  ///< Their titles.
  std::function<std::optional<StatePlace>(StateId)> place;
  std::vector<LayoutWall> walls{};
  /// Per action: one of ←↑→↓↖↗↘↙, drawn as an arrow, or a few letters.
  std::vector<std::string> marks;
  /// The action whose probability is printed; without one, that of the most probable action.
  std::optional<ActionId> probability_of{};

  std::size_t place_count() const { return rows.size() * columns.size() * panels.size(); }
};

/// "0", "1", …
std::vector<std::string> numbered_names(std::size_t count);

/// The marks of actions that a layout does not mark: an arrow if the name says a direction (left, go_north),
/// otherwise its first letters, as many as it takes to tell them apart.
std::vector<std::string> default_marks(const std::vector<std::string>& actions);

}  // namespace ndnf
