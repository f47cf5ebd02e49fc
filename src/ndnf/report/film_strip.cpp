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
constexpr double kFrameWidth = 270;
constexpr double kFrameGap = 14;
constexpr double kPictureHeight = 170;
constexpr double kRuleLine = 14;
constexpr std::size_t kFramesAcross = 4;
constexpr std::size_t kRuleLetters = 42;
constexpr std::size_t kMostRuleLines = 6;

/// The rules of a frame, or the observation where there are none, in lines that fit under it.
std::vector<std::string> words_under(const Frame& frame) {
  std::vector<std::string> lines;
  for (const std::string& rule : frame.rules) {
    for (std::string& line : wrapped(rule, kRuleLetters)) lines.push_back(std::move(line));
  }
  if (frame.rules.empty() && !frame.observation.empty()) lines = wrapped(frame.observation, kRuleLetters);
  if (lines.size() > kMostRuleLines) {
    lines.resize(kMostRuleLines);
    lines.back() = shortened(lines.back(), kRuleLetters - 1) + "…";
  }
  return lines;
}

/// The height of the largest picture, as they are drawn.
double picture_height(const FilmStrip& strip) {
  double tallest = 0;
  for (const Frame& frame : strip.frames) {
    if (!frame.picture) continue;
    const double scale =
        std::min(kFrameWidth / frame.picture->width(), kPictureHeight / frame.picture->height());
    tallest = std::max(tallest, scale * frame.picture->height());
  }
  return tallest;
}

void draw_frame(Svg& svg, const FilmStrip& strip, const Frame& frame, double x, double y, double picture) {
  svg.begin_group(fmt::format("step {}: {}", frame.step, frame.observation));
  svg.text(x, y + 14, 12, fmt::format("step {}", frame.step), R"(fill="#57606a" font-weight="bold")",
           "start");
  if (frame.picture) svg.embed(*frame.picture, x, y + 20, kFrameWidth, picture);
  double below = y + 20 + picture + 6;
  if (frame.action) {
    const std::string words = fmt::format("{} {:.2f}", strip.actions[*frame.action].name, frame.probability);
    const double width = text_width(words, 12) + 16;
    svg.rect(x, below, width, 20, fmt::format(R"(fill="{}")", action_colour(*frame.action).hex()), 5);
    svg.text(x + width / 2, below + 14, 12, words, R"(fill="#ffffff" font-weight="bold")");
    svg.text(x + width + 10, below + 14, 12, "reward " + figure_text(frame.reward), R"(fill="#24292f")",
             "start");
  }
  below += 24;
  for (const std::string& line : words_under(frame))
    svg.text(x, below += kRuleLine, 10.5, line, R"(fill="#24292f" font-family="monospace")", "start");
  svg.end_group();
}

}  // namespace

Svg draw(const FilmStrip& strip) {
  const double picture = picture_height(strip);
  std::size_t lines = 1;
  for (const Frame& frame : strip.frames) lines = std::max(lines, words_under(frame).size());
  const double height = 20 + picture + 30 + kRuleLine * static_cast<double>(lines) + 20;
  const std::size_t across = std::clamp<std::size_t>(strip.frames.size(), 1, kFramesAcross);
  const std::size_t down = (strip.frames.size() + across - 1) / across;
  const double frames = static_cast<double>(across) * (kFrameWidth + kFrameGap) - kFrameGap;
  const double width =
      2 * kFilmMargin + std::max({frames, text_width(strip.title, 17), text_width(strip.remark, 12)});
  Svg svg(width, 56 + height * static_cast<double>(down) + 28, strip.title);
  svg.rect(0, 0, svg.width(), svg.height(), R"(fill="#ffffff")");
  svg.text(kFilmMargin, 26, 16, strip.title, R"(fill="#1b1f24" font-weight="bold")", "start");
  svg.text(kFilmMargin, 44, 12, strip.remark, R"(fill="#57606a")", "start");
  for (std::size_t i = 0; i < strip.frames.size(); ++i) {
    draw_frame(svg, strip, strip.frames[i],
               kFilmMargin + static_cast<double>(i % across) * (kFrameWidth + kFrameGap),
               56 + height * static_cast<double>(i / across), picture);
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
    text += fmt::format("\nstep {}", frame.step);
    if (frame.action)
      text += fmt::format("  {} ({:.2f}), reward {:g}", strip.actions[*frame.action].name, frame.probability,
                          frame.reward);
    text += "\n" + frame.text;
    if (frame.text.empty() && !frame.observation.empty()) indented(frame.observation);
    for (const std::string& rule : frame.rules) indented(rule);
  }
  if (strip.left_out > 0) text += fmt::format("\n{} more steps are not shown\n", strip.left_out);
  return text + "\n" + strip.ending + "\n";
}

}  // namespace ndnf
