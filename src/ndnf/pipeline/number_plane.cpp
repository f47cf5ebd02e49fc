#include "ndnf/pipeline/number_plane.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ndnf/report/axis.h"

namespace ndnf {
namespace {

/// As many points as fit a terminal of 80 columns.
constexpr std::size_t kAcross = 31;
constexpr std::size_t kDown = 21;

/// Equally spaced numbers in the range of a quantity, both ends included.
class Ticks {
 public:
  Ticks(const Quantity& quantity, std::size_t count) : quantity_(quantity), count_(count) {
    const Grid& grid = *quantity.grid;
    low_ = grid.lowest * grid.quantum;
    step_ = (grid.highest * grid.quantum - low_) / static_cast<double>(count - 1);
    std::vector<double> all;
    for (std::size_t tick = 0; tick < count; ++tick) all.push_back(at(tick));
    decimals_ = shared_decimals(all);
  }

  /// Rounded to the steps in which rules see the quantity.
  double at(std::size_t tick) const {
    const double quantum = quantity_.grid->quantum;
    return std::round((low_ + step_ * static_cast<double>(tick)) / quantum) * quantum + 0.0;  // not -0
  }
  std::size_t nearest(float number) const {
    if (!(step_ > 0)) return 0;  // of a range that is too small to be divided
    return static_cast<std::size_t>(
        std::clamp(std::round((number - low_) / step_), 0.0, static_cast<double>(count_ - 1)));
  }
  std::string text(std::size_t tick) const { return figure_text(at(tick), decimals_); }
  std::string title() const {
    return fmt::format("{}{}", quantity_.name, quantity_.unit.empty() ? "" : " in " + quantity_.unit);
  }

 private:
  const Quantity& quantity_;
  std::size_t count_;
  double low_ = 0;
  double step_ = 0;
  int decimals_ = 0;
};

MapSquare square_at(const PolicyTable& taken, const ObservationTable& points, ObsId point) {
  MapSquare square;
  square.exists = true;
  square.visited = false;
  square.description = points.describe(point);
  if (taken.defined(point)) {
    square.probabilities.assign(taken.row(point).begin(), taken.row(point).end());
  } else {
    square.undefined = taken.defect(point);
  }
  return square;
}

}  // namespace

bool has_plane(const Vocabulary& vocabulary) {
  const auto& quantities = vocabulary.quantities();
  return vocabulary.atom_count() == 0 && quantities.size() == 2 && quantities[0].grid && quantities[1].grid;
}

PlaceMap plane_of(const Policy& policy, const Selection& selection, const ObservationSample& sample) {
  const ObservationTable& seen = *sample.table;
  const auto& quantities = seen.vocabulary().quantities();
  const Ticks across(quantities[0], kAcross);
  const Ticks up(quantities[1], kDown);

  PlaceMap map;
  map.columns.resize(kAcross);  // their numbers have no room; the title has the ends
  map.column_title =
      fmt::format("{}, from {} to {}", across.title(), across.text(0), across.text(kAcross - 1));
  map.row_title = up.title();
  map.sampled = true;
  map.reference.clear();
  map.panels.push_back({"", std::vector<MapSquare>(kAcross * kDown)});
  std::vector<MapSquare>& squares = map.panels[0].squares;

  ObservationTable points(seen.shared_vocabulary(), seen.dense_size());
  std::vector<ObsId> ids;
  for (std::size_t row = 0; row < kDown; ++row) {
    const std::size_t tick = kDown - 1 - row;  // large numbers are at the top
    map.rows.push_back(up.text(tick));
    for (std::size_t column = 0; column < kAcross; ++column)
      ids.push_back(points.intern(
          {}, std::array{static_cast<float>(across.at(column)), static_cast<float>(up.at(tick))}));
  }
  const PolicyTable taken = select(tabulate(policy, points), selection);
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = square_at(taken, points, ids[i]);
  for (ObsId obs = 0; obs < seen.size(); ++obs) {
    const auto numbers = seen.dense(obs);
    const std::size_t row = kDown - 1 - up.nearest(numbers[1]);
    MapSquare& square = squares[row * kAcross + across.nearest(numbers[0])];
    square.visited = true;
    square.visits = square.visits.value_or(0) + sample.visits[obs];
  }
  return map;
}

}  // namespace ndnf
