#include "ndnf/report/observation_list.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/palette.h"
#include "ndnf/base/text_table.h"
#include "ndnf/base/wrapped_text.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"

namespace ndnf {
namespace {

constexpr double kListMargin = 14;
constexpr double kListHead = 84;
constexpr double kListRow = 24;
constexpr double kBarLength = 300;
constexpr std::size_t kMostLetters = 64;

std::string distribution_text(const ListedObservation& row, const std::vector<DrawnAction>& actions) {
  if (row.probabilities.empty()) return row.undefined;
  std::vector<std::string> parts;
  for (std::size_t a = 0; a < actions.size(); ++a) {
    const double p = row.probabilities[a];
    if (p >= 0.9995) return actions[a].name;
    if (p >= 0.0005) parts.push_back(fmt::format("{} {:.3g}", actions[a].name, p));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The distribution as pieces of a bar, each with its name if there is room.
void draw_distribution(Svg& svg, const ListedObservation& row, const std::vector<DrawnAction>& actions,
                       double x, double y) {
  if (row.probabilities.empty()) {
    svg.rect(x, y, kBarLength, kListRow - 6, R"(fill="#c9ced6")");
    svg.text(x + 6, y + 13, 11, "? " + row.undefined, R"(fill="#1b1f24")", "start");
    return;
  }
  for (std::size_t a = 0; a < actions.size(); ++a) {
    const double length = kBarLength * row.probabilities[a];
    if (length <= 0) continue;
    svg.rect(x, y, length, kListRow - 6,
             fmt::format(R"(fill="{}" stroke="#ffffff")", action_colour(a).hex()));
    const std::string words = row.probabilities[a] >= 0.995
                                  ? actions[a].name
                                  : fmt::format("{} {:.2f}", actions[a].name, row.probabilities[a]);
    if (text_width(words, 11) < length - 8)
      svg.text(x + length / 2, y + 13, 11, words, R"(fill="#ffffff" font-weight="bold")");
    x += length;
  }
}

/// Bars from zero, to the right for positive values and to the left for negative ones.
void draw_values(Svg& svg, const ObservationList& list, double x, double y) {
  double low = 0;
  double high = 0;
  for (const ListedObservation& row : list.rows) {
    low = std::min(low, row.value.value_or(0));
    high = std::max(high, row.value.value_or(0));
  }
  const Axis axis = axis_over(low, high);
  const double bottom = y + kListRow * static_cast<double>(list.rows.size());
  for (const double tick : axis.ticks()) {
    const double at = x + kBarLength * axis.share(tick);
    svg.line(at, y, at, bottom, fmt::format(R"(stroke="{}")", tick == 0 ? "#57606a" : "#d8dee4"));
    svg.text(at, y - 5, 10, axis.text(tick), R"(fill="#57606a")");
  }
  for (const ListedObservation& row : list.rows) {
    if (row.value) {
      const double from = x + kBarLength * axis.share(std::min(0.0, *row.value));
      const double to = x + kBarLength * axis.share(std::max(0.0, *row.value));
      svg.rect(from, y + 3, std::max(1.0, to - from), kListRow - 6, R"(fill="#0a585c")");
    }
    y += kListRow;
  }
}

Legend legend_of(const ObservationList& list, PolicyAspect aspect) {
  Legend legend;
  for (std::size_t a = 0; aspect == PolicyAspect::kActions && a < list.actions.size(); ++a) {
    legend.add(
        [a](Svg& svg, double x, double y, double size) {
          svg.rect(x, y, size, size, fmt::format(R"(fill="{}")", action_colour(a).hex()));
        },
        list.actions[a].name);
  }
  if (std::any_of(list.rows.begin(), list.rows.end(), [](const auto& row) { return row.differs; }))
    legend.add("≠ not an action of " + list.reference);
  legend.add("visits: expected decisions in an episode");
  if (list.left_out > 0) legend.add(fmt::format("{} more observations are not shown", list.left_out));
  return legend;
}

}  // namespace

Svg draw(const ObservationList& list, PolicyAspect aspect) {
  double names = text_width("observation", 12);
  for (const ListedObservation& row : list.rows)
    names = std::max(names, text_width(shortened(row.observation, kMostLetters), 12));
  const double bars = kListMargin + names + 16;
  const double width = std::max(bars + kBarLength + 160, 2 * kListMargin + text_width(list.remark, 12));
  const Legend legend = legend_of(list, aspect);
  const double bottom = kListHead + kListRow * static_cast<double>(list.rows.size()) + 8;
  Svg svg(width, bottom + legend.height(width - 2 * kListMargin) + 10, list.title);
  svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
  svg.text(kListMargin, 26, 16, list.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  svg.text(kListMargin, 44, 12, list.remark, R"(fill="#57606a")", "start");
  const auto head = [&](double x, const char* words, const char* anchor) {
    svg.text(x, kListHead - 18, 12, words, R"(fill="#57606a")", anchor);
  };
  head(kListMargin, "observation", "start");
  head(bars, aspect == PolicyAspect::kActions ? "probability of each action" : "expected return from there",
       "start");
  const bool valued =
      std::any_of(list.rows.begin(), list.rows.end(), [](const auto& row) { return row.value.has_value(); });
  if (valued) head(bars + kBarLength + 70, "value", "end");
  head(bars + kBarLength + 135, "visits", "end");
  if (aspect == PolicyAspect::kValues) draw_values(svg, list, bars, kListHead);
  double y = kListHead;
  for (const ListedObservation& row : list.rows) {
    svg.begin_group(row.observation + ": " + distribution_text(row, list.actions));
    svg.text(kListMargin, y + 16, 12, shortened(row.observation, kMostLetters), R"(fill="#1b1f24")", "start");
    if (aspect == PolicyAspect::kActions) draw_distribution(svg, row, list.actions, bars, y + 3);
    if (row.differs)
      svg.text(bars + kBarLength + 12, y + 17, 15, "≠",
               fmt::format(R"(fill="{}" font-weight="bold")", kDifference.hex()));
    if (row.value)
      svg.text(bars + kBarLength + 70, y + 16, 12, figure_text(*row.value), R"(fill="#1b1f24")", "end");
    svg.text(bars + kBarLength + 135, y + 16, 12, figure_text(row.visits), R"(fill="#1b1f24")", "end");
    svg.end_group();
    y += kListRow;
  }
  legend.draw(svg, kListMargin, bottom, width - 2 * kListMargin);
  return svg;
}

std::string to_text(const ObservationList& list, PolicyAspect aspect, std::size_t width) {
  constexpr std::size_t kFigures = 18;  // for the two columns of figures
  std::size_t actions = 6;
  for (const ListedObservation& row : list.rows)
    actions = std::max(actions, letters(distribution_text(row, list.actions)) + (row.differs ? 1 : 0));
  actions = std::min(actions, (width - kFigures) / 2);
  std::vector<ListedObservation> rows = list.rows;
  if (aspect == PolicyAspect::kValues) {
    std::stable_sort(rows.begin(), rows.end(), [](const ListedObservation& a, const ListedObservation& b) {
      constexpr double kLeast = -std::numeric_limits<double>::infinity();
      return a.value.value_or(kLeast) > b.value.value_or(kLeast);
    });
  }
  TextTable table({"observation", "action", "value", "visits"}, {2, 3});
  bool differs = false;
  for (const ListedObservation& row : rows) {
    differs = differs || row.differs;
    table.add({shortened(row.observation, width - kFigures - actions - 4),
               shortened(distribution_text(row, list.actions), actions - (row.differs ? 1 : 0)) +
                   (row.differs ? "!" : ""),
               row.value ? figure_text(*row.value) : "–", figure_text(row.visits)});
  }
  std::string text =
      list.title + "\n" + (list.remark.empty() ? "" : list.remark + "\n") + "\n" + table.to_text();
  if (differs) text += "!: not an action of " + list.reference + "\n";
  if (list.left_out > 0) text += fmt::format("{} more observations are not shown\n", list.left_out);
  return text;
}

}  // namespace ndnf
