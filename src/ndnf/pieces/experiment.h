#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ndnf/pieces/piece.h"
#include "ndnf/report/document.h"

namespace ndnf {

/// The amount of work.
struct Effort {
  bool quick = false;  ///< Few seeds and short time limits: a test run, without meaningful results.
};

/// A table or figure of the paper: the pieces of work behind it, and the presentation of their results, which
/// is a function of the results alone. Experiments may share pieces.
struct Experiment {
  std::string name;
  std::string title;
  std::function<std::vector<Piece>(const Effort&)> pieces;
  std::function<std::vector<Block>(const Effort&, const Results&)> show;
  std::function<void()> require{};  ///< Throws Error if a required program is missing. May be empty.
};

}  // namespace ndnf
