#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/wrapped_text.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/place_map.h"

namespace ndnf {
namespace {

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, letters(text)), ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, letters(text)), ' ') + text;
}

/// Lines of text that are put beside each other.
using Lines = std::vector<std::string>;

std::size_t width_of(const Lines& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, letters(line));
  return width;
}

/// Blocks of lines from left to right, in as many rows as it takes.
std::string side_by_side(const std::vector<Lines>& blocks, std::size_t width) {
  constexpr std::size_t kBetween = 3;
  std::string text;
  for (std::size_t first = 0, end = 0; first < blocks.size(); first = end) {
    std::size_t used = 0;
    std::size_t tallest = 0;
    for (end = first; end < blocks.size(); ++end) {
      const std::size_t more = width_of(blocks[end]) + (end > first ? kBetween : 0);
      if (end > first && used + more > width) break;
      used += more;
      tallest = std::max(tallest, blocks[end].size());
    }
    for (std::size_t i = 0; i < tallest; ++i) {
      std::string line;
      for (std::size_t b = first; b < end; ++b) {
        const std::string part = i < blocks[b].size() ? blocks[b][i] : "";
        line += b + 1 < end ? padded(part, width_of(blocks[b]) + kBetween) : part;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    text += "\n";
  }
  return text;
}

class MapText {
 public:
  MapText(const PlaceMap& map, PolicyAspect aspect, std::size_t width)
      : map_(map), aspect_(aspect), width_(width) {
    std::vector<double> values;
    for (const MapPanel& panel : map.panels) {
      for (const MapSquare& square : panel.squares) {
        if (square.exists && square.value) values.push_back(*square.value);
      }
    }
    decimals_ = shared_decimals(values);
  }

  std::string written() {
    std::string text = map_.title + "\n" + (map_.remark.empty() ? "" : map_.remark + "\n") + "\n";
    std::vector<Lines> blocks;
    for (const MapPanel& panel : map_.panels) blocks.push_back(block(panel));
    return text + side_by_side(blocks, width_) + legend();
  }

 private:
  std::string cell(const MapSquare& square) {
    if (!square.exists) return "";
    if (!square.undefined.empty()) return undefined_ = true, "?";
    if (aspect_ == PolicyAspect::kValues)
      return square.value ? figure_text(*square.value, decimals_) : label(square);
    if (square.probabilities.empty()) return label(square);
    const auto number = printed_probability(map_, square);
    std::string text = map_.actions[best_action(square.probabilities)].mark;
    if (number) text += fmt::format("{:02}", std::min(99, static_cast<int>(std::lround(100 * *number))));
    if (square.differs) text += "!";
    numbers_ = numbers_ || number;
    differs_ = differs_ || square.differs;
    return text;
  }

  static std::string label(const MapSquare& square) {
    return square.labels.empty() ? "." : shortened(square.labels.front(), 5);
  }

  Lines block(const MapPanel& panel) {
    const PanelCut cut = cut_of(map_, panel);
    const std::size_t names = name_width();
    std::size_t wide = 1;
    for (std::size_t c = cut.first_column; c < cut.end_column; ++c) {
      wide = std::max(wide, std::min<std::size_t>(6, letters(map_.columns[c])));
      for (std::size_t r = cut.first_row; r < cut.end_row; ++r)
        wide = std::max(wide, letters(cell(at(panel, r, c))));
    }
    const std::size_t room = width_ - std::min(width_ - wide, names + 1);
    const std::size_t end =
        std::min(cut.end_column, cut.first_column + std::max<std::size_t>(1, room / (wide + 1)));
    cut_off_ = cut_off_ || end < cut.end_column;
    Lines lines;
    if (!panel.title.empty()) lines.push_back(panel.title);
    std::string head(names, ' ');
    for (std::size_t c = cut.first_column; c < end; ++c)
      head += " " + right_aligned(shortened(map_.columns[c], wide), wide);
    if (head.find_first_not_of(' ') != std::string::npos) lines.push_back(head);
    for (std::size_t r = cut.first_row; r < cut.end_row; ++r) {
      std::string line = right_aligned(shortened(map_.rows[r], names), names);
      for (std::size_t c = cut.first_column; c < end; ++c)
        line += wall(r, c) + right_aligned(cell(at(panel, r, c)), wide);
      lines.push_back(line);
    }
    return lines;
  }

  const MapSquare& at(const MapPanel& panel, std::size_t r, std::size_t c) const {
    return panel.squares[r * map_.columns.size() + c];
  }

  /// What stands before a square: a wall or a space.
  std::string wall(std::size_t r, std::size_t c) const {
    const bool there = std::any_of(map_.walls.begin(), map_.walls.end(), [&](const MapWall& wall) {
      return !wall.below && wall.row == r && wall.column + 1 == c;
    });
    return there ? "|" : " ";
  }

  std::size_t name_width() const {
    std::size_t widest = 0;
    for (const std::string& name : map_.rows) widest = std::max(widest, letters(name));
    return std::min<std::size_t>(widest, 12);
  }

  /// Where the labels of a single panel are that its squares have no room for; not of more than a few.
  std::map<std::string, std::string> labelled() const {
    constexpr std::size_t kMostPlaces = 6;
    std::map<std::string, std::vector<std::string>> places;
    for (std::size_t i = 0; map_.panels.size() == 1 && i < map_.panels[0].squares.size(); ++i) {
      const MapSquare& square = map_.panels[0].squares[i];
      if (!square.exists || square.probabilities.empty()) continue;
      const std::string& column = map_.columns[i % map_.columns.size()];
      const std::string& row = map_.rows[i / map_.columns.size()];
      for (const std::string& label : square.labels)
        places[label].push_back(map_.rows.size() == 1 ? column : fmt::format("({}, {})", row, column));
    }
    std::map<std::string, std::string> joined;
    for (const auto& [label, list] : places) {
      if (list.size() <= kMostPlaces) joined[label] = fmt::format("{}", fmt::join(list, ", "));
    }
    return joined;
  }

  std::string legend() const {
    std::vector<std::string> words;
    if (aspect_ == PolicyAspect::kActions) {
      std::vector<std::string> marks;
      for (const DrawnAction& action : map_.actions)
        marks.push_back(fmt::format("{} {}", action.mark, action.name));
      words.push_back(fmt::format("{}", fmt::join(marks, ", ")));
      if (numbers_) {
        words.push_back(
            "number: " + (map_.probability_of ? map_.actions[*map_.probability_of].name : "that action") +
            " has this probability in %");
      }
      if (differs_) words.push_back("!: not an action of " + map_.reference);
    } else {
      words.emplace_back("numbers: the expected return from there");
    }
    if (!map_.row_title.empty()) words.push_back("down: " + map_.row_title);
    if (!map_.column_title.empty()) words.push_back("across: " + map_.column_title);
    for (const auto& [label, places] : labelled()) words.push_back(label + ": " + places);
    if (undefined_) words.emplace_back("?: the policy has no action");
    if (cut_off_) words.emplace_back("the columns on the right do not fit");
    if (map_.left_out > 0) words.push_back(fmt::format("{} more panels are not shown", map_.left_out));
    std::string text;
    for (const std::string& line : wrapped(fmt::format("{}", fmt::join(words, "; ")), width_))
      text += line + "\n";
    return text;
  }

  const PlaceMap& map_;
  const PolicyAspect aspect_;
  const std::size_t width_;
  int decimals_ = 0;
  bool numbers_ = false;  ///< What occurs, for the legend.
  bool differs_ = false;
  bool undefined_ = false;
  bool cut_off_ = false;
};

}  // namespace

std::string to_text(const PlaceMap& map, PolicyAspect aspect, std::size_t width) {
  return MapText(map, aspect, width).written();
}

}  // namespace ndnf
