#pragma once

#include <cstdint>
#include <string>

#include "ndnf/base/svg.h"

namespace ndnf {

/// The visible state of a game of Blackjack: the player's hand and the dealer's open card (an ace is 1).
struct BlackjackState {
  std::uint32_t sum = 0;
  std::uint32_t dealer = 0;
  bool usable_ace = false;
  bool natural = false;  ///< The first two cards are an ace and a ten.
};

std::string draw_blackjack_text(const BlackjackState& state);

Svg draw_blackjack_svg(const BlackjackState& state);

}  // namespace ndnf
