#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace ndnf {

/// The taxi's map: squares, walls between them, and the landmarks R, G, Y, B (0 to 3).
struct TaxiMap {
  struct Square {
    std::uint32_t row = 0;
    std::uint32_t col = 0;
    bool operator==(const Square&) const = default;
  };

  std::uint32_t rows = 5;
  std::uint32_t cols = 5;
  std::array<Square, 4> landmarks;
  bool walls = false;  ///< Whether there are the inner walls of the 5×5 map.

  /// The border of the map counts as a wall.
  bool wall_right_of(Square square) const;
  std::optional<std::uint32_t> landmark_at(Square square) const;
};

struct TaxiState {
  static constexpr std::uint32_t kInTaxi = 4;

  TaxiMap::Square taxi;
  std::uint32_t passenger = 0;  ///< The landmark where the passenger stands, or kInTaxi.
  std::uint32_t destination = 0;
};

}  // namespace ndnf
