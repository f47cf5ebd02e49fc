#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"

namespace ndnf {

/// A mean with its standard error.
struct Estimate {
  double mean = 0;
  double error = 0;
};

/// One bar, and the figure it is compared with.
struct Bar {
  std::string label;
  Estimate ours;
  std::optional<Estimate> theirs{};
};

/// Bars that share a scale.
struct BarPanel {
  std::string title;
  std::vector<Bar> bars;
  std::optional<double> best{};  ///< An upper bound on all bars, marked by a line.
};

/// Panels side by side, three in a row, each with its own scale: filled bars for our values, outlines for the
/// reference values, whiskers for one standard error to each side. Bars begin at the left edge, which is
/// labelled.
Svg bar_chart(const std::string& title, const std::vector<BarPanel>& panels);

}  // namespace ndnf
