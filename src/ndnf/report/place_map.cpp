#include "ndnf/report/place_map.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ndnf {

std::size_t best_action(const std::vector<double>& probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                  probabilities.begin());
}

std::optional<std::pair<double, double>> arrow_direction(const std::string& mark) {
  constexpr double kHalf = 0.70710678118654752;
  static const std::array<std::pair<std::string_view, std::pair<double, double>>, 8> kArrows = {
      {{"←", {-1, 0}},
       {"↑", {0, -1}},
       {"→", {1, 0}},
       {"↓", {0, 1}},
       {"↖", {-kHalf, -kHalf}},
       {"↗", {kHalf, -kHalf}},
       {"↘", {kHalf, kHalf}},
       {"↙", {-kHalf, kHalf}}}};
  for (const auto& [arrow, direction] : kArrows) {
    if (mark == arrow) return direction;
  }
  return std::nullopt;
}

PanelCut cut_of(const PlaceMap& map, const MapPanel& panel) {
  PanelCut cut{map.rows.size(), 0, map.columns.size(), 0};
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      if (!panel.squares[r * map.columns.size() + c].exists) continue;
      cut = {std::min(cut.first_row, r), r + 1, std::min(cut.first_column, c),
             std::max(cut.end_column, c + 1)};
    }
  }
  return cut.end_row == 0 ? PanelCut{0, map.rows.size(), 0, map.columns.size()} : cut;
}

std::optional<double> printed_probability(const PlaceMap& map, const MapSquare& square) {
  constexpr double kCertain = 0.995;
  if (square.probabilities.empty()) return std::nullopt;
  const double best = square.probabilities[best_action(square.probabilities)];
  if (best >= kCertain) return std::nullopt;
  return map.probability_of ? square.probabilities[*map.probability_of] : best;
}

}  // namespace ndnf
