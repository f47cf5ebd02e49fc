#include "ndnf/report/legend.h"

#include "ndnf/base/wrapped_text.h"

namespace ndnf {
namespace {

constexpr double kLegendLine = 22;
constexpr double kLegendSample = 15;
constexpr double kLegendText = 12;
constexpr double kLegendGap = 18;

}  // namespace

double text_width(const std::string& text, double size) {
  return 0.56 * size * static_cast<double>(letters(text));
}

double Legend::lay_out(double width, Svg* svg, double left, double top) const {
  double x = 0;
  double y = 0;
  for (const Entry& entry : entries_) {
    const double sample = entry.sample ? kLegendSample + 6 : 0;
    const double whole = sample + text_width(entry.words, kLegendText);
    if (x > 0 && x + whole > width) {
      x = 0;
      y += kLegendLine;
    }
    if (svg != nullptr) {
      if (entry.sample)
        entry.sample(*svg, left + x, top + y + (kLegendLine - kLegendSample) / 2, kLegendSample);
      svg->text(left + x + sample, top + y + 15.5, kLegendText, entry.words, R"(fill="#24292f")", "start");
    }
    x += whole + kLegendGap;
  }
  return entries_.empty() ? 0 : y + kLegendLine;
}

}  // namespace ndnf
