#include "ndnf/report/film_strip.h"

#include <algorithm>

#include <fmt/format.h>

#include "ndnf/base/palette.h"
#include "ndnf/base/wrapped_text.h"
#include "ndnf/report/axis.h"
#include "ndnf/report/legend.h"

namespace ndnf {
namespace {

constexpr double kFilmMargin = 14;
constexpr double kMostFrameWidth = 270;
constexpr double kLeastFrameWidth = 180;
constexpr double kMostFilmWidth = 1150;
constexpr double kFrameGap = 14;
constexpr double kPictureHeight = 170;
constexpr double kRuleLine = 14;
constexpr double kRuleLetter = 6.4;  ///< The width of a letter.
constexpr std::size_t kMostRuleLines = 6;

/// The rules of a frame, or the observation where there are none, in lines that fit under it.
std::vector<std::string> words_under(const Frame& frame, double width) {
  const auto room = static_cast<std::size_t>(width / kRuleLetter);
  std::vector<std::string> lines;
  for (const std::string& rule : frame.rules) {
    for (std::string& line : wrapped(rule, room)) lines.push_back(std::move(line));
  }
  if (frame.rules.empty() && !frame.observation.empty() && !frame.over)
    lines = wrapped(frame.observation, room);
  if (lines.size() > kMostRuleLines) {
    lines.resize(kMostRuleLines);
    lines.back() = shortened(lines.back(), room - 1) + "…";
  }
  return lines;
}

/// The size of a frame: that of the largest picture, and room for the rules.
struct FrameSize {
  double width = kLeastFrameWidth;
  double picture = 0;  ///< The height of the pictures.
  std::size_t lines = 1;

  explicit FrameSize(const FilmStrip& strip) {
    for (const Frame& frame : strip.frames) {
      if (!frame.rules.empty()) width = kMostFrameWidth;
      if (!frame.picture) continue;
      const double scale =
          std::min(kMostFrameWidth / frame.picture->width(), kPictureHeight / frame.picture->height());
      width = std::max(width, scale * frame.picture->width());
      picture = std::max(picture, scale * frame.picture->height());
    }
    if (picture == 0) width = kMostFrameWidth;  // the observations are words
    for (const Frame& frame : strip.frames) lines = std::max(lines, words_under(frame, width).size());
  }
  double height() const { return 20 + picture + 30 + kRuleLine * static_cast<double>(lines) + 20; }
  std::size_t across() const {
    return static_cast<std::size_t>((kMostFilmWidth + kFrameGap) / (width + kFrameGap));
  }
};

void draw_frame(Svg& svg, const FilmStrip& strip, const Frame& frame, double x, double y,
                const FrameSize& size) {
  svg.begin_group(fmt::format("step {}: {}", frame.step, frame.observation));
  svg.text(x, y + 14, 12, frame.over ? "the end" : fmt::format("step {}", frame.step),
           R"(fill="#57606a" font-weight="bold")", "start");
  if (frame.picture) svg.embed(*frame.picture, x, y + 20, size.width, size.picture);
  double below = y + 20 + size.picture + 6;
  if (frame.action) {
    const std::string words = fmt::format("{} {:.2f}", strip.actions[*frame.action].name, frame.probability);
    const double width = text_width(words, 12) + 16;
    svg.rect(x, below, width, 20, fmt::format(R"(fill="{}")", action_colour(*frame.action).hex()), 5);
    svg.text(x + width / 2, below + 14, 12, words, R"(fill="#ffffff" font-weight="bold")");
    svg.text(x + width + 10, below + 14, 12, "reward " + figure_text(frame.reward), R"(fill="#24292f")",
             "start");
  }
  below += 24;
  for (const std::string& line : words_under(frame, size.width))
    svg.text(x, below += kRuleLine, 10.5, line, R"(fill="#24292f" font-family="monospace")", "start");
  svg.end_group();
}

}  // namespace

Svg draw(const FilmStrip& strip) {
  const FrameSize size(strip);
  const std::size_t across = std::clamp<std::size_t>(strip.frames.size(), 1, size.across());
  const std::size_t down = (strip.frames.size() + across - 1) / across;
  const double frames = static_cast<double>(across) * (size.width + kFrameGap) - kFrameGap;
  const double width =
      2 * kFilmMargin + std::max({frames, text_width(strip.title, 17), text_width(strip.remark, 12)});
  Svg svg(width, 56 + size.height() * static_cast<double>(down) + 28, strip.title);
  svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
  svg.text(kFilmMargin, 26, 16, strip.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  svg.text(kFilmMargin, 44, 12, strip.remark, R"(fill="#57606a")", "start");
  for (std::size_t i = 0; i < strip.frames.size(); ++i) {
    draw_frame(svg, strip, strip.frames[i],
               kFilmMargin + static_cast<double>(i % across) * (size.width + kFrameGap),
               56 + size.height() * static_cast<double>(i / across), size);
  }
  const std::string rest =
      strip.left_out == 0 ? "" : fmt::format("{} more steps are not shown; ", strip.left_out);
  svg.text(kFilmMargin, svg.height() - 12, 12, rest + strip.ending, R"(fill="#24292f" font-weight="bold")",
           "start");
  return svg;
}

std::string to_text(const FilmStrip& strip, std::size_t width) {
  std::string text = strip.title + "\n" + (strip.remark.empty() ? "" : strip.remark + "\n");
  const auto indented = [&text, width](const std::string& words) {
    for (const std::string& line : wrapped(words, width - 2)) text += "  " + line + "\n";
  };
  for (const Frame& frame : strip.frames) {
    text += frame.over ? "\nthe end" : fmt::format("\nstep {}", frame.step);
    if (frame.action)
      text += fmt::format("  {} ({:.2f}), reward {:g}", strip.actions[*frame.action].name, frame.probability,
                          frame.reward);
    text += "\n" + frame.text;
    if (frame.text.empty() && !frame.over) indented(frame.observation);
    for (const std::string& rule : frame.rules) indented(rule);
  }
  if (strip.left_out > 0) text += fmt::format("\n{} more steps are not shown\n", strip.left_out);
  return text + "\n" + strip.ending + "\n";
}

}  // namespace ndnf
