#include "ndnf/tasks/taxi_map.h"

#include <algorithm>

namespace ndnf {

bool TaxiMap::wall_right_of(Square square) const {
  if (square.col + 1 == cols) return true;
  if (!walls) return false;
  return square.row < 2 ? square.col == 1 : square.row > 2 && square.col % 2 == 0;
}

std::optional<std::uint32_t> TaxiMap::landmark_at(Square square) const {
  const auto found = std::find(landmarks.begin(), landmarks.end(), square);
  if (found == landmarks.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - landmarks.begin());
}

}  // namespace ndnf
