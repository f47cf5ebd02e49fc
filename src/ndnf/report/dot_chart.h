#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"
#include "ndnf/report/estimate.h"

namespace ndnf {

/// One figure, and the figure it is compared with.
struct ComparedFigure {
  std::string label;
  Estimate ours;
  std::optional<Estimate> theirs{};
};

/// Figures that share an axis.
struct DotPanel {
  std::string title;
  std::vector<ComparedFigure> figures;
  std::optional<double> best{};  ///< An upper bound on all of them, marked by a line.
};

/// Panels side by side, three in a row, each with its own axis: a filled dot for our value, a diamond for the
/// reference, whiskers for one standard error to each side. Positions are compared, not lengths, so no axis
/// needs a zero. `x_title` is what the numbers are; `notes` are sentences for the legend, such as the meaning
/// of signs in labels.
Svg dot_chart(const std::string& title, const std::string& x_title, const std::vector<std::string>& notes,
              const std::vector<DotPanel>& panels);

}  // namespace ndnf
