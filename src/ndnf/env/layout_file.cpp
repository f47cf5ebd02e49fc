#include "ndnf/env/layout_file.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/nearest.h"
#include "ndnf/base/wrapped_text.h"

namespace ndnf {
namespace {

constexpr std::size_t kMostNames = 100'000;
constexpr std::size_t kMostMarkLetters = 3;

// Reading.

/// The names of rows or columns: a list, or their number.
std::vector<std::string> read_names(const JsonNode& node) {
  std::vector<std::string> names;
  if (node.is_list()) {
    names = node.texts();
  } else {
    const std::uint64_t count = node.whole_number();
    if (count > kMostNames)
      node.fail(fmt::format("{} is too many", count), fmt::format("at most {} are allowed", kMostNames));
    names = numbered_names(static_cast<std::size_t>(count));
  }
  if (names.empty()) node.fail("there is none", "at least one is needed");
  return names;
}

StatePlace read_place(const JsonNode& node, const Layout& layout) {
  const std::vector<JsonNode> numbers = node.elements();
  if (numbers.size() < 2 || numbers.size() > 3)
    node.fail(fmt::format("has {} numbers", numbers.size()),
              "a place is [row, column] or [row, column, panel]; null if the state lies nowhere");
  StatePlace place{numbers[0].index_of("row", layout.rows.size()),
                   numbers[1].index_of("column", layout.columns.size())};
  if (numbers.size() == 3) place.panel = numbers[2].index_of("panel", layout.panels.size());
  return place;
}

std::vector<std::optional<StatePlace>> read_places(const JsonNode& node, const Layout& layout,
                                                   std::size_t states) {
  const std::vector<JsonNode> list = node.elements();
  if (list.size() != states)
    node.fail(fmt::format("has {} places", list.size()), fmt::format("there are {} states", states));
  std::vector<std::optional<StatePlace>> places;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> taken;
  for (const JsonNode& element : list) {
    places.emplace_back();
    if (element.is_null()) continue;
    const StatePlace place = read_place(element, layout);
    const auto [other, free] = taken.try_emplace({place.row, place.column, place.panel}, places.size() - 1);
    if (!free)
      element.fail(fmt::format("state {} already lies there", other->second),
                   "put one of them in another panel, or nowhere (null)");
    places.back() = place;
  }
  return places;
}

/// A wall is given by the two places that it separates.
LayoutWall read_wall(const JsonNode& node, const Layout& layout) {
  const std::vector<JsonNode> sides = node.elements();
  if (sides.size() != 2) node.fail("is not a pair of places", "a wall is [[row, column], [row, column]]");
  StatePlace first = read_place(sides[0], layout);
  StatePlace second = read_place(sides[1], layout);
  if (std::tie(second.row, second.column) < std::tie(first.row, first.column)) std::swap(first, second);
  const bool below = second.row == first.row + 1 && second.column == first.column;
  const bool beside = second.row == first.row && second.column == first.column + 1;
  if (!below && !beside) node.fail("the places are not neighbours", "a wall is between two that are");
  return {first.row, first.column, below};
}

ActionId read_action(const JsonNode& node, const std::string& name, const Vocabulary& vocabulary) {
  const auto action = vocabulary.find_action(name);
  if (!action) node.fail(fmt::format("there is no action {}", name), suggestion(name, vocabulary.actions()));
  return *action;
}

void read_marks(const JsonNode& node, const Vocabulary& vocabulary, Layout& layout) {
  for (const auto& [name, mark] : node.members()) {
    const ActionId action = read_action(node, name, vocabulary);
    layout.marks[action] = mark.text();
    const std::size_t count = letters(layout.marks[action]);
    if (count == 0 || count > kMostMarkLetters)
      mark.fail(fmt::format("has {} letters", count), fmt::format("a mark has 1 to {}", kMostMarkLetters));
  }
}

// Writing.

std::string place_text(const std::optional<StatePlace>& place) {
  if (!place) return "null";
  const std::string panel = place->panel == 0 ? "" : fmt::format(", {}", place->panel);
  return fmt::format("[{}, {}{}]", place->row, place->column, panel);
}

std::string names_text(const std::vector<std::string>& names) {
  return names == numbered_names(names.size()) ? std::to_string(names.size()) : json_text(names);
}

std::string wall_text(const LayoutWall& wall) {
  return fmt::format("[[{}, {}], [{}, {}]]", wall.row, wall.column, wall.row + (wall.below ? 1 : 0),
                     wall.column + (wall.below ? 0 : 1));
}

std::string marks_text(const Layout& layout, const Vocabulary& vocabulary) {
  const std::vector<std::string> usual = default_marks(vocabulary.actions());
  std::vector<std::string> marks;
  for (ActionId a = 0; a < usual.size(); ++a) {
    if (layout.marks[a] != usual[a])
      marks.push_back(
          fmt::format("{}: {}", json_text(vocabulary.action_name(a)), json_text(layout.marks[a])));
  }
  return marks.empty() ? "" : fmt::format("{{{}}}", fmt::join(marks, ", "));
}

}  // namespace

std::shared_ptr<const Layout> read_layout(const JsonNode& node, const FiniteModel& model) {
  static const std::vector<std::string> kKeys = {"rows",   "row_title", "columns", "column_title",  "panels",
                                                 "places", "walls",     "marks",   "probability_of"};
  node.check_keys(kKeys);
  auto layout = std::make_shared<Layout>();
  layout->rows = read_names(node.at("rows"));
  layout->columns = read_names(node.at("columns"));
  if (const auto title = node.find("row_title")) layout->row_title = title->text();
  if (const auto title = node.find("column_title")) layout->column_title = title->text();
  if (const auto panels = node.find("panels")) {
    layout->panels = panels->texts();
    if (layout->panels.empty())
      panels->fail("is empty", "leave it out if there is one panel without a title");
  }
  layout->marks = default_marks(model.vocabulary().actions());
  if (const auto marks = node.find("marks")) read_marks(*marks, model.vocabulary(), *layout);
  if (const auto name = node.find("probability_of"))
    layout->probability_of = read_action(*name, name->text(), model.vocabulary());
  if (const auto walls = node.find("walls")) {
    for (const JsonNode& wall : walls->elements()) layout->walls.push_back(read_wall(wall, *layout));
  }
  layout->place = [places = read_places(node.at("places"), *layout, model.state_count())](StateId s) {
    return places[s];
  };
  return layout;
}

std::string layout_text(const Layout& layout, const FiniteModel& model) {
  std::vector<std::string> lines;
  const auto add = [&lines](const char* key, const std::string& value) {
    if (!value.empty()) lines.push_back(fmt::format("    \"{}\": {}", key, value));
  };
  const auto title = [](const std::string& text) { return text.empty() ? "" : json_text(text); };
  add("rows", names_text(layout.rows));
  add("row_title", title(layout.row_title));
  add("columns", names_text(layout.columns));
  add("column_title", title(layout.column_title));
  if (layout.panels != std::vector<std::string>{""}) add("panels", json_text(layout.panels));
  add("marks", marks_text(layout, model.vocabulary()));
  if (layout.probability_of)
    add("probability_of", json_text(model.vocabulary().action_name(*layout.probability_of)));
  std::vector<std::string> walls;
  for (const LayoutWall& wall : layout.walls) walls.push_back(wall_text(wall));
  if (!walls.empty()) add("walls", fmt::format("[{}]", fmt::join(walls, ", ")));
  std::vector<std::string> places;
  for (StateId s = 0; s < model.state_count(); ++s) places.push_back(place_text(layout.place(s)));
  add("places", fmt::format("[{}]", fmt::join(places, ", ")));
  return fmt::format("{{\n{}\n  }}", fmt::join(lines, ",\n"));
}

}  // namespace ndnf
