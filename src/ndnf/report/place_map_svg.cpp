#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/palette.h"
#include "ndnf/base/wrapped_text.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"
#include "ndnf/report/place_map.h"

namespace ndnf {
namespace {

constexpr double kMapMargin = 14;
constexpr double kMapGap = 26;      ///< Between panels.
constexpr double kMapWidth = 1160;  ///< Of a line of panels.
constexpr double kMapPanelTitle = 22;
constexpr double kMapLabel = 11;
constexpr PaintColour kLowValue{255, 247, 230};
constexpr PaintColour kHighValue{10, 88, 92};
constexpr const char* kMapInk = R"(fill="#1b1f24")";
constexpr const char* kMapGrey = R"(fill="#57606a")";

/// Draws an arrow whose middle is at (x, y).
void draw_arrow(Svg& svg, double x, double y, std::pair<double, double> direction, double length,
                double thickness, const std::string& colour) {
  const auto [dx, dy] = direction;
  const double head = std::min(0.6 * length, 2.6 * thickness);
  const double tip_x = x + dx * length / 2, tip_y = y + dy * length / 2;
  const double neck_x = tip_x - dx * head, neck_y = tip_y - dy * head;
  svg.line(x - dx * length / 2, y - dy * length / 2, neck_x, neck_y,
           fmt::format(R"(stroke="{}" stroke-width="{:.3g}")", colour, thickness));
  svg.polygon({{tip_x, tip_y},
               {neck_x - dy * head * 0.62, neck_y + dx * head * 0.62},
               {neck_x + dy * head * 0.62, neck_y - dx * head * 0.62}},
              fmt::format(R"(fill="{}")", colour));
}

void draw_mark(Svg& svg, const std::string& mark, double x, double y, double size,
               const std::string& colour) {
  if (const auto direction = arrow_direction(mark)) {
    draw_arrow(svg, x, y, *direction, size, std::max(1.5, size / 7), colour);
    return;
  }
  const double font = size * (letters(mark) > 1 ? 0.6 : 0.85);
  svg.text(x, y + font * 0.36, font, mark, fmt::format(R"(fill="{}" font-weight="bold")", colour));
}

void draw_difference(Svg& svg, double x, double y, double size) {
  svg.rect(x + 1.5, y + 1.5, size - 3, size - 3,
           fmt::format(R"(fill="none" stroke="{}" stroke-width="2.5")", kDifference.hex()));
  const double corner = 0.3 * size;
  svg.polygon({{x + size - corner, y + 1}, {x + size - 1, y + 1}, {x + size - 1, y + corner}},
              fmt::format(R"(fill="{}")", kDifference.hex()));
}

/// White with the colours of the actions, each by its probability.
PaintColour tint(const std::vector<double>& probabilities, double strength) {
  PaintColour mix = kWhite;
  double sum = 0;
  for (std::size_t a = 0; a < probabilities.size(); ++a) {
    if (probabilities[a] <= 0) continue;
    sum += probabilities[a];
    mix = mix.mixed(action_colour(a), probabilities[a] / sum);
  }
  return kWhite.mixed(mix, strength);
}

constexpr double kVisitedTint = 0.3;
constexpr double kOtherTint = 0.07;

/// The range of the values of a map.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  int decimals = 0;  ///< Of all values alike.
  std::size_t letters_of_longest = 1;

  explicit ValueRange(const PlaceMap& map) {
    std::vector<double> all;
    for (const MapPanel& panel : map.panels) {
      for (const MapSquare& square : panel.squares) {
        if (!square.exists || !square.value) continue;
        low = std::min(low, *square.value);
        high = std::max(high, *square.value);
        all.push_back(*square.value);
      }
    }
    decimals = shared_decimals(all);
    for (const double value : all)
      letters_of_longest = std::max(letters_of_longest, letters(figure_text(value, decimals)));
  }
  bool empty() const { return low > high; }
  PaintColour colour(double value) const {
    return kLowValue.mixed(kHighValue, high > low ? (value - low) / (high - low) : 0.5);
  }
};

class MapPicture {
 public:
  MapPicture(const PlaceMap& map, PolicyAspect aspect) : map_(map), aspect_(aspect), range_(map) {
    for (const MapPanel& panel : map.panels) cuts_.push_back(cut_of(map, panel));
    choose_sizes();
    place_panels();
    add_legend();
  }

  Svg drawn() const {
    const double legend = legend_.height(width_ - 2 * kMapMargin);
    Svg svg(width_, bottom_ + legend + kMapMargin, map_.title);
    svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
    svg.text(kMapMargin, 26, 16, map_.title, R"(fill="#1b1f24" font-weight="bold")", "start");
    if (!map_.remark.empty()) svg.text(kMapMargin, 44, 12, map_.remark, kMapGrey, "start");
    for (std::size_t i = 0; i < map_.panels.size(); ++i) draw_panel(svg, i);
    legend_.draw(svg, kMapMargin, bottom_, width_ - 2 * kMapMargin);
    return svg;
  }

 private:
  struct Corner {
    double x;
    double y;
  };

  void choose_sizes() {
    std::size_t across = 1;
    std::size_t down = 1;
    for (const PanelCut& cut : cuts_) {
      across = std::max(across, cut.end_column - cut.first_column);
      down = std::max(down, cut.end_row - cut.first_row);
    }
    const double room = cuts_.size() == 1 ? 620 : cuts_.size() == 2 ? 480 : cuts_.size() <= 4 ? 320 : 230;
    const double most = std::max(static_cast<double>(across), 0.75 * static_cast<double>(down));
    cell_ = std::clamp(std::floor(room / most), 18.0, 66.0);
    double letters_of_row = 0;
    for (const std::string& name : map_.rows)
      letters_of_row = std::max(letters_of_row, text_width(name, kMapLabel));
    left_ = letters_of_row + (map_.row_title.empty() ? 6 : 22);
    head_ = kMapPanelTitle * (has_titles() ? 1 : 0) + 18 + (map_.column_title.empty() ? 0 : 16);
  }

  bool has_titles() const {
    return std::any_of(map_.panels.begin(), map_.panels.end(),
                       [](const MapPanel& panel) { return !panel.title.empty(); });
  }
  double panel_width(std::size_t i) const {
    const double squares = cell_ * static_cast<double>(cuts_[i].end_column - cuts_[i].first_column);
    return left_ + std::max({squares, text_width(map_.panels[i].title, 13),
                             text_width(map_.column_title, kMapLabel)});
  }
  double panel_height(std::size_t i) const {
    return head_ + cell_ * static_cast<double>(cuts_[i].end_row - cuts_[i].first_row);
  }

  /// In lines from left to right.
  void place_panels() {
    double x = kMapMargin;
    double y = map_.remark.empty() ? 40 : 56;
    double line = 0;
    width_ = 2 * kMapMargin + std::max(text_width(map_.title, 17), text_width(map_.remark, 12));
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      if (x > kMapMargin && x + panel_width(i) > kMapWidth) {
        x = kMapMargin;
        y += line + kMapGap;
        line = 0;
      }
      corners_.push_back({x, y});
      x += panel_width(i) + kMapGap;
      line = std::max(line, panel_height(i));
      width_ = std::max(width_, x - kMapGap + kMapMargin);
    }
    width_ = std::max(width_, 360.0);
    bottom_ = y + line + 12;
  }

  void draw_panel(Svg& svg, std::size_t i) const {
    const PanelCut& cut = cuts_[i];
    const double x0 = corners_[i].x + left_;
    const double y0 = corners_[i].y + head_;
    const double wide = cell_ * static_cast<double>(cut.end_column - cut.first_column);
    const double high = cell_ * static_cast<double>(cut.end_row - cut.first_row);
    if (has_titles())
      svg.text(x0, corners_[i].y + 14, 13, map_.panels[i].title, R"(fill="#1b1f24" font-weight="bold")",
               "start");
    if (!map_.column_title.empty())
      svg.text(x0 + std::max(wide, text_width(map_.column_title, kMapLabel)) / 2, y0 - 20, kMapLabel,
               map_.column_title, kMapGrey);
    if (!map_.row_title.empty())
      svg.upward_text(corners_[i].x + 10, y0 + high / 2, kMapLabel, map_.row_title, kMapGrey);
    for (std::size_t c = cut.first_column; c < cut.end_column; ++c) {
      if (text_width(map_.columns[c], kMapLabel) <= cell_ + 2 || c % 5 == 0)
        svg.text(x0 + cell_ * (static_cast<double>(c - cut.first_column) + 0.5), y0 - 5, kMapLabel,
                 map_.columns[c], kMapGrey);
    }
    for (std::size_t r = cut.first_row; r < cut.end_row; ++r) {
      const double y = y0 + cell_ * static_cast<double>(r - cut.first_row);
      svg.text(x0 - 5, y + cell_ / 2 + 4, kMapLabel, map_.rows[r], kMapGrey, "end");
      for (std::size_t c = cut.first_column; c < cut.end_column; ++c) {
        const MapSquare& square = map_.panels[i].squares[r * map_.columns.size() + c];
        if (square.exists)
          draw_square(svg, square, x0 + cell_ * static_cast<double>(c - cut.first_column), y);
      }
    }
    draw_walls(svg, cut, x0, y0);
  }

  void draw_walls(Svg& svg, const PanelCut& cut, double x0, double y0) const {
    for (const MapWall& wall : map_.walls) {
      if (wall.row < cut.first_row || wall.column < cut.first_column || wall.row >= cut.end_row ||
          wall.column >= cut.end_column)
        continue;
      const double x =
          x0 + cell_ * static_cast<double>(wall.column - cut.first_column + (wall.below ? 0 : 1));
      const double y = y0 + cell_ * static_cast<double>(wall.row - cut.first_row + (wall.below ? 1 : 0));
      svg.line(x, y, wall.below ? x + cell_ : x, wall.below ? y : y + cell_,
               R"(stroke="#1b1f24" stroke-width="4" stroke-linecap="round")");
    }
  }

  PaintColour ground(const MapSquare& square) const {
    if (!square.undefined.empty()) return {201, 206, 214};
    if (aspect_ == PolicyAspect::kValues && square.value) return range_.colour(*square.value);
    if (square.probabilities.empty() || aspect_ == PolicyAspect::kValues) return {238, 240, 243};
    return tint(square.probabilities, square.visited ? kVisitedTint : kOtherTint);
  }

  void draw_square(Svg& svg, const MapSquare& square, double x, double y) const {
    const PaintColour fill = ground(square);
    svg.begin_group(describe(square));
    svg.rect(x, y, cell_, cell_, fmt::format(R"(fill="{}" stroke="#b6bec8")", fill.hex()));
    const std::string ink = fill.is_dark() ? R"(fill="#ffffff")" : kMapInk;
    const double middle = x + cell_ / 2;
    if (!square.undefined.empty()) {
      svg.text(middle, y + cell_ * 0.64, cell_ * 0.45, "?", ink);
    } else if (aspect_ == PolicyAspect::kValues) {
      draw_value(svg, square, x, y, ink);
    } else if (!square.probabilities.empty()) {
      draw_actions(svg, square, x, y);
    }
    draw_labels(svg, square, x, y, ink);
    if (square.differs && aspect_ == PolicyAspect::kActions) draw_difference(svg, x, y, cell_);
    svg.end_group();
  }

  void draw_value(Svg& svg, const MapSquare& square, double x, double y, const std::string& ink) const {
    if (!square.value) return;
    const double size =
        std::min(0.3 * cell_, cell_ / (0.62 * static_cast<double>(range_.letters_of_longest) + 0.2));
    if (size >= 6)
      svg.text(x + cell_ / 2, y + cell_ / 2 + 0.36 * size, size, figure_text(*square.value, range_.decimals),
               ink);
  }

  void draw_actions(Svg& svg, const MapSquare& square, double x, double y) const {
    const std::vector<double>& row = square.probabilities;
    const std::size_t best = best_action(row);
    const auto number = printed_probability(map_, square);
    const double middle = x + cell_ / 2;
    const bool prints = number && cell_ >= 26;
    const double centre = y + cell_ * (prints ? 0.42 : 0.5);
    if (!number) {
      draw_mark(svg, map_.actions[best].mark, middle, centre, 0.56 * cell_, action_colour(best).hex());
      return;
    }
    for (std::size_t a = 0; a < row.size(); ++a) {
      const auto direction = arrow_direction(map_.actions[a].mark);
      if (!direction || row[a] < 0.02) continue;
      const double length = cell_ * (0.12 + 0.26 * row[a]);
      draw_arrow(svg, middle + direction->first * length * 0.62, centre + direction->second * length * 0.62,
                 *direction, length, std::max(1.2, cell_ * (0.03 + 0.05 * row[a])), action_colour(a).hex());
    }
    if (!arrow_direction(map_.actions[best].mark))
      draw_mark(svg, map_.actions[best].mark, middle, centre, 0.5 * cell_, action_colour(best).hex());
    if (prints)
      svg.text(middle, y + cell_ * 0.88, std::max(8.0, cell_ * 0.2), fmt::format("{:.2f}", *number), kMapInk);
  }

  /// Where nothing is decided, in the middle; otherwise at the top.
  void draw_labels(Svg& svg, const MapSquare& square, double x, double y, const std::string& ink) const {
    const bool alone = square.probabilities.empty() && square.undefined.empty() &&
                       !(aspect_ == PolicyAspect::kValues && square.value);
    const std::string text = fmt::format("{}", fmt::join(square.labels, ", "));
    const double size = alone ? std::clamp(0.22 * cell_, 8.0, 13.0) : std::clamp(0.16 * cell_, 8.0, 11.0);
    const auto room = static_cast<std::size_t>(cell_ / (0.56 * size));
    if (text.empty() || room < 3 || (!alone && (cell_ < 38 || letters(text) > room))) return;
    svg.text(x + cell_ / 2, alone ? y + cell_ / 2 + 0.36 * size : y + size + 2, size, shortened(text, room),
             ink);
  }

  std::string describe(const MapSquare& square) const {
    std::vector<std::string> parts;
    if (!square.description.empty()) parts.push_back(square.description);
    for (const std::string& label : square.labels) parts.push_back("label " + label);
    if (!square.undefined.empty()) parts.push_back("the policy " + square.undefined);
    for (std::size_t a = 0; a < square.probabilities.size(); ++a) {
      if (square.probabilities[a] > 0)
        parts.push_back(fmt::format("{} {:.3g}", map_.actions[a].name, square.probabilities[a]));
    }
    if (square.value) parts.push_back("value " + figure_text(*square.value));
    if (square.differs) parts.push_back("not the optimal action");
    if (!square.visited) parts.push_back(map_.sampled ? "not visited" : "never visited");
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  template <class Test>
  bool any(Test test) const {
    return std::any_of(map_.panels.begin(), map_.panels.end(), [&](const MapPanel& panel) {
      return std::any_of(panel.squares.begin(), panel.squares.end(),
                         [&](const MapSquare& square) { return square.exists && test(square); });
    });
  }

  void add_legend() {
    if (aspect_ == PolicyAspect::kValues) {
      add_value_legend();
    } else {
      add_action_legend();
    }
    const auto swatch = [](const PaintColour& colour) {
      return [colour](Svg& svg, double x, double y, double size) {
        svg.rect(x, y, size, size, fmt::format(R"(fill="{}" stroke="#b6bec8")", colour.hex()));
      };
    };
    if (any([](const MapSquare& square) { return !square.undefined.empty(); }))
      legend_.add(swatch({201, 206, 214}), "? the policy has no action");
    if (any([](const MapSquare& square) { return square.probabilities.empty() && square.undefined.empty(); }))
      legend_.add(swatch({238, 240, 243}), "nothing is decided");
    if (map_.left_out > 0) legend_.add(fmt::format("{} more panels are not drawn", map_.left_out));
  }

  void add_action_legend() {
    for (std::size_t a = 0; a < map_.actions.size(); ++a) {
      if (!any([a](const MapSquare& square) {
            return !square.probabilities.empty() && square.probabilities[a] >= 0.02;
          }))
        continue;
      legend_.add(
          [a, mark = map_.actions[a].mark](Svg& svg, double x, double y, double size) {
            svg.rect(x, y, size, size,
                     fmt::format(R"(fill="{}" stroke="#b6bec8")",
                                 kWhite.mixed(action_colour(a), kVisitedTint).hex()));
            draw_mark(svg, mark, x + size / 2, y + size / 2, 0.8 * size, action_colour(a).hex());
          },
          map_.actions[a].name);
    }
    if (any([this](const MapSquare& square) { return printed_probability(map_, square).has_value(); }))
      legend_.add("number: probability of " + (map_.probability_of ? map_.actions[*map_.probability_of].name
                                                                   : "the most probable action"));
    if (any([](const MapSquare& square) { return square.differs; })) {
      legend_.add(
          [](Svg& svg, double x, double y, double size) {
            svg.rect(x, y, size, size, R"(fill="#ffffff" stroke="#b6bec8")");
            draw_difference(svg, x, y, size);
          },
          "not an action of " + map_.reference);
    }
    if (any([](const MapSquare& square) { return !square.visited && !square.probabilities.empty(); }))
      legend_.add(map_.sampled ? "pale: no sampled episode came near" : "pale: the policy never comes there");
  }

  void add_value_legend() {
    if (range_.empty()) return;
    legend_.add("expected return from there:");
    for (const double value : range_.low < range_.high ? std::vector<double>{range_.low, range_.high}
                                                       : std::vector<double>{range_.low}) {
      legend_.add(
          [colour = range_.colour(value)](Svg& svg, double x, double y, double size) {
            svg.rect(x, y, size, size, fmt::format(R"(fill="{}" stroke="#b6bec8")", colour.hex()));
          },
          figure_text(value, range_.decimals));
    }
  }

  const PlaceMap& map_;
  const PolicyAspect aspect_;
  const ValueRange range_;
  std::vector<PanelCut> cuts_;
  double cell_ = 0;
  double left_ = 0;  ///< Room for the names of rows.
  double head_ = 0;  ///< Room for the title of a panel and the names of columns.
  std::vector<Corner> corners_;
  double width_ = 0;
  double bottom_ = 0;  ///< Of the panels.
  Legend legend_;
};

}  // namespace

Svg draw(const PlaceMap& map, PolicyAspect aspect) { return MapPicture(map, aspect).drawn(); }

}  // namespace ndnf
