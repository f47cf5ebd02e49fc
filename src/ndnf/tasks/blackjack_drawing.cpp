#include "ndnf/tasks/blackjack_drawing.h"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr double kWidth = 400;
constexpr double kHeight = 400;
constexpr double kCardWidth = 104;
constexpr double kCardHeight = 148;
constexpr double kCardCorner = 9;
constexpr std::string_view kCardStyle = R"(fill="#fffdf8" stroke="#1d1d1f" stroke-width="1.5")";

std::string card_name(std::uint32_t card) { return card == 1 ? "A" : std::to_string(card); }

/// What the sum alone does not reveal about the player's hand.
std::string_view remark(const BlackjackState& s) {
  if (s.natural) return "natural";
  if (s.sum > 21) return "bust";
  return s.usable_ace ? "usable ace" : "";
}

/// Positions of the pips of a card: heights, as fractions of the card's, in the middle and at both sides.
struct Pips {
  std::vector<double> middle;
  std::vector<double> sides;
};

const Pips& pips(std::uint32_t card) {
  static const std::array<Pips, 10> all = {{{{.5}, {}},
                                            {{.2, .8}, {}},
                                            {{.2, .5, .8}, {}},
                                            {{}, {.2, .8}},
                                            {{.5}, {.2, .8}},
                                            {{}, {.2, .5, .8}},
                                            {{.35}, {.2, .5, .8}},
                                            {{.35, .65}, {.2, .5, .8}},
                                            {{.5}, {.2, .4, .6, .8}},
                                            {{.3, .7}, {.2, .4, .6, .8}}}};
  return all[card - 1];
}

void draw_spade(Svg& svg, double x, double y, double size, bool upright) {
  constexpr std::string_view kSpade =  // between (-1, -1) and (1, 1)
      "M0 -1 C.15 -.6 .85 -.2 .85 .3 C.85 .75 .3 .8 .1 .45 Q.12 .85 .35 1 H-.35 Q-.12 .85 -.1 .45 "
      "C-.3 .8 -.85 .75 -.85 .3 C-.85 -.2 -.15 -.6 0 -1 Z";
  svg.path(kSpade, fmt::format("transform=\"translate({:g} {:g}) scale({:g})\" fill=\"#1d1d1f\"", x, y,
                               upright ? size : -size));
}

void draw_card(Svg& svg, double x, double y, std::uint32_t card) {
  svg.rect(x, y, kCardWidth, kCardHeight, kCardStyle, kCardCorner);
  const auto pip = [&](double across, double down) {
    draw_spade(svg, x + across * kCardWidth, y + down * kCardHeight, card == 1 ? 30 : 10, down <= .5);
  };
  for (const double down : pips(card).middle) pip(.5, down);
  for (const double down : pips(card).sides) {
    pip(.3, down);
    pip(.7, down);
  }
  for (const int angle : {0, 180}) {  // the rank in two corners
    svg.text(x + 14, y + 20, 16, card_name(card),
             fmt::format("font-weight=\"bold\" transform=\"rotate({} {:g} {:g})\"", angle, x + kCardWidth / 2,
                         y + kCardHeight / 2));
  }
}

void draw_face_down_card(Svg& svg, double x, double y) {
  svg.rect(x, y, kCardWidth, kCardHeight, kCardStyle, kCardCorner);
  svg.rect(x + 7, y + 7, kCardWidth - 14, kCardHeight - 14, R"(fill="#a23b3b")", 5);
  for (int row = 0; row < 9; ++row) {
    for (int col = 0; col < 6; ++col) {
      const double cx = x + 14.5 + 15 * col;
      const double cy = y + 14 + 15 * row;
      svg.polygon({{cx, cy - 6}, {cx + 6, cy}, {cx, cy + 6}, {cx - 6, cy}}, R"(fill="#d98f86")");
    }
  }
}

void draw_remark(Svg& svg, std::string_view text) {
  const double width = 24 + 11 * static_cast<double>(text.size());
  svg.rect((kWidth - width) / 2, 344, width, 32, R"(fill="#f3d36b")", 16);
  svg.text(kWidth / 2, 366, 18, text, R"(fill="#2b2410" font-weight="bold")");
}

}  // namespace

std::string draw_blackjack_text(const BlackjackState& state) {
  const std::string_view note = remark(state);
  return fmt::format("dealer  [{}] [?]\nplayer  {}{}\n", card_name(state.dealer), state.sum,
                     note.empty() ? "" : fmt::format(" ({})", note));
}

Svg draw_blackjack_svg(const BlackjackState& state) {
  constexpr std::string_view kHeading = R"(fill="#d9efe0" letter-spacing="2")";
  Svg svg(kWidth, kHeight, fmt::format("Dealer shows {}, player has {}", card_name(state.dealer), state.sum));
  svg.rect(0, 0, kWidth, kHeight, R"(fill="#5b3a22")", 18);
  svg.rect(10, 10, kWidth - 20, kHeight - 20, R"(fill="#1f7a4d")", 12);
  svg.text(32, 42, 17, "DEALER", kHeading, "start");
  draw_card(svg, kWidth / 2 - kCardWidth - 10, 54, state.dealer);
  draw_face_down_card(svg, kWidth / 2 + 10, 54);
  svg.text(32, 240, 17, "PLAYER", kHeading, "start");
  svg.text(kWidth / 2, 326, 92, std::to_string(state.sum), R"(fill="#fff" font-weight="bold")");
  if (const std::string_view note = remark(state); !note.empty()) draw_remark(svg, note);
  return svg;
}

}  // namespace ndnf
