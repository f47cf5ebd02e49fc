#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"
#include "ndnf/report/place_map.h"

namespace ndnf {

/// One decision of an episode.
struct Frame {
  std::size_t step = 0;
  std::optional<Svg> picture{};  ///< Of the state; without one the observation is shown.
  std::string text{};            ///< The same for a terminal.
  std::string observation{};
  std::optional<std::size_t> action{};  ///< Nothing where the policy is undefined.
  double probability = 1;               ///< Of the action in the policy's own distribution.
  double reward = 0;
  std::vector<std::string> rules{};  ///< Those that fired, if the policy is a program.
  bool over = false;                 ///< The episode is over: nothing is decided here.
};

/// An episode, frame by frame.
struct FilmStrip {
  std::string title;
  std::string remark{};
  std::vector<DrawnAction> actions;
  std::vector<Frame> frames;
  std::size_t left_out = 0;  ///< Steps between the last two frames that are not shown.
  std::string ending{};      ///< How the episode ended.
};

/// Frames in rows; under each the action, its probability and reward, and the rules that fired.
Svg draw(const FilmStrip& strip);
std::string to_text(const FilmStrip& strip, std::size_t width = 80);

}  // namespace ndnf
