#include "ndnf/base/palette.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::array<PaintColour, 9> kColours = {{{29, 95, 168},    // blue
                                                  {194, 65, 12},    // orange
                                                  {46, 125, 50},    // green
                                                  {123, 63, 160},   // purple
                                                  {0, 116, 128},    // teal
                                                  {173, 48, 100},   // pink
                                                  {110, 74, 44},    // brown
                                                  {84, 96, 110},    // slate
                                                  {107, 104, 0}}};  // olive

/// A hue from 0 to 1, dark enough for white letters.
PaintColour of_hue(double hue) {
  const auto channel = [hue](double offset) {
    const double distance = std::abs(std::fmod(6 * hue + offset, 6.0) - 3);
    return static_cast<int>(std::lround(30 + 95 * std::min(1.0, std::max(0.0, distance - 1))));
  };
  return {channel(0), channel(4), channel(2)};
}

}  // namespace

std::string PaintColour::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue); }

PaintColour PaintColour::mixed(const PaintColour& other, double share) const {
  const auto part = [share](int own, int others) {
    return static_cast<int>(std::lround(own + share * (others - own)));
  };
  return {part(red, other.red), part(green, other.green), part(blue, other.blue)};
}

bool PaintColour::is_dark() const { return 0.299 * red + 0.587 * green + 0.114 * blue < 118; }

PaintColour action_colour(std::size_t number) {
  if (number < kColours.size()) return kColours[number];
  constexpr double kGolden = 0.618033988749895;  // neighbours in this sequence have hues far apart
  return of_hue(std::fmod(static_cast<double>(number) * kGolden, 1.0));
}

}  // namespace ndnf
