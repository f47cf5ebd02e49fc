#include "ndnf/tasks/control_drawing.h"

#include <algorithm>
#include <cmath>

namespace ndnf {
namespace {

constexpr double kWidth = 240;
constexpr double kHeight = 150;
constexpr const char* kGround = R"(stroke="#57606a" stroke-width="1.5")";
constexpr const char* kBody = R"(fill="#24292f")";
constexpr const char* kRod = R"(stroke="#bf6f3a" stroke-width="7" stroke-linecap="round")";
constexpr const char* kJoint = R"(fill="#7c83c8")";

Svg canvas(const char* title) {
  Svg svg(kWidth, kHeight, title);
  svg.rect(0, 0, kWidth, kHeight, R"(fill="#f6f8fa")");
  return svg;
}

/// The valley of the mountain car: heights from 0.1 to 1, over positions from -1.2 to 0.6.
struct Valley {
  static constexpr double kLeft = -1.2;
  static constexpr double kRight = 0.6;

  static double across(double position) { return 8 + (position - kLeft) / (kRight - kLeft) * (kWidth - 16); }
  static double down(double position) { return kHeight - 6 - (std::sin(3 * position) * 0.45 + 0.55) * 112; }
};

}  // namespace

Svg draw_cart_pole(std::span<const float> numbers) {
  constexpr double kScale = kWidth / 4.8;  // the track reaches from -2.4 to 2.4
  constexpr double kTrack = 118;
  constexpr double kPole = 80;
  const double x = kWidth / 2 + kScale * std::clamp<double>(numbers[0], -2.4, 2.4);
  const double angle = numbers[2];
  Svg svg = canvas("cart and pole");
  svg.line(0, kTrack, kWidth, kTrack, kGround);
  svg.rect(x - 20, kTrack - 11, 40, 22, kBody, 2);
  svg.line(x, kTrack - 11, x + kPole * std::sin(angle), kTrack - 11 - kPole * std::cos(angle), kRod);
  svg.circle(x, kTrack - 11, 4, kJoint);
  return svg;
}

Svg draw_mountain_car(std::span<const float> numbers, double goal) {
  const double position = std::clamp<double>(numbers[0], Valley::kLeft, Valley::kRight);
  Svg svg = canvas("mountain car");
  Svg::Points road;
  for (int i = 0; i <= 60; ++i) {
    const double p = Valley::kLeft + (Valley::kRight - Valley::kLeft) * i / 60;
    road.emplace_back(Valley::across(p), Valley::down(p));
  }
  svg.polyline(road, R"(stroke="#57606a" stroke-width="2")");
  const double foot = Valley::across(goal);
  const double ground = Valley::down(goal);
  svg.line(foot, ground, foot, ground - 26, kGround);
  svg.polygon({{foot, ground - 26}, {foot + 13, ground - 21}, {foot, ground - 16}}, R"(fill="#d4a72c")");
  // The car stands on the slope: its wheels are where the road is.
  const double slope =
      std::atan2(-1.35 * std::cos(3 * position) * 112 * (Valley::kRight - Valley::kLeft), kWidth - 16);
  const double x = Valley::across(position);
  const double y = Valley::down(position);
  const auto at = [&](double along, double up) {
    return std::pair(x + along * std::cos(slope) + up * std::sin(slope),
                     y + along * std::sin(slope) - up * std::cos(slope));
  };
  svg.polygon({at(-12, 4), at(12, 4), at(12, 13), at(-12, 13)}, kBody);
  for (const double along : {-7.0, 7.0}) {
    const auto wheel = at(along, 4);
    svg.circle(wheel.first, wheel.second, 4, R"(fill="#8c959f")");
  }
  return svg;
}

Svg draw_acrobot(std::span<const float> numbers) {
  constexpr double kLink = 32;
  constexpr double kTop = kHeight / 2 + 4;
  const double elbow_x = kWidth / 2 + kLink * numbers[1];
  const double elbow_y = kTop + kLink * numbers[0];
  // The lower angle is relative to the upper link, so the two are added.
  const double cos = numbers[0] * numbers[2] - numbers[1] * numbers[3];
  const double sin = numbers[1] * numbers[2] + numbers[0] * numbers[3];
  Svg svg = canvas("acrobot");
  svg.line(0, kTop - kLink, kWidth, kTop - kLink, R"(stroke="#d4a72c" stroke-width="1.5")");
  svg.line(kWidth / 2, kTop, elbow_x, elbow_y, kRod);
  svg.line(elbow_x, elbow_y, elbow_x + kLink * sin, elbow_y + kLink * cos, kRod);
  svg.circle(kWidth / 2, kTop, 4, kJoint);
  svg.circle(elbow_x, elbow_y, 4, kJoint);
  return svg;
}

Svg draw_pendulum(std::span<const float> numbers) {
  constexpr double kLength = 58;
  Svg svg = canvas("pendulum");
  svg.line(kWidth / 2, kHeight / 2, kWidth / 2 - kLength * numbers[1], kHeight / 2 - kLength * numbers[0],
           R"(stroke="#bf6f3a" stroke-width="14" stroke-linecap="round")");
  svg.circle(kWidth / 2, kHeight / 2, 4, kBody);
  return svg;
}

}  // namespace ndnf
