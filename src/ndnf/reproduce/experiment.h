#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ndnf/report/document.h"
#include "ndnf/reproduce/piece.h"

namespace ndnf {

/// How much is done.
struct Effort {
  bool quick = false;  ///< Few seeds and short time limits: shows that all works, not what it is worth.
};

/// A table or figure of the paper: the work behind it, and how its results are shown. Showing is a function
/// of the results alone. Experiments may share pieces.
struct Experiment {
  std::string name;
  std::string title;
  std::function<std::vector<Piece>(const Effort&)> pieces;
  std::function<std::vector<Block>(const Effort&, const Results&)> show;
  std::function<void()> require{};  ///< Throws Error if a program that it needs is missing. May be empty.
};

/// All of them, in the order of the report.
std::vector<Experiment> experiments();

}  // namespace ndnf
