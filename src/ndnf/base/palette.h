#pragma once

#include <cstddef>
#include <string>

namespace ndnf {

/// A colour of a picture.
struct PaintColour {
  int red = 0;
  int green = 0;
  int blue = 0;

  /// "#1d5fa8".
  std::string hex() const;
  /// This colour with a share of another: 0 leaves it as it is.
  PaintColour mixed(const PaintColour& other, double share) const;
  /// Whether white letters are easier to read on it than black ones.
  bool is_dark() const;
};

inline constexpr PaintColour kWhite{255, 255, 255};
/// Marks what differs from a reference; no action has it.
inline constexpr PaintColour kDifference{209, 36, 47};

/// The colour of the action with this number, and of the curve or cloud with this number: the same in every
/// picture. The first nine are told apart without full colour vision by their brightness or hue; all are dark
/// enough for white letters.
PaintColour action_colour(std::size_t number);

}  // namespace ndnf
