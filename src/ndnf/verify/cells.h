#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/mdp/quantised_observation.h"

namespace ndnf {

/// The observations that comparisons tell apart: a *cell* is a set of observations in which the same of these
/// comparisons hold and the groups have the same values. A program that makes no other comparison takes the
/// same action in all of a cell, so what holds in one observation of every cell holds in every observation
/// within the grids. Cells are found by Z3, comparison by comparison: those that are possible so far are each
/// split in two, and all halves are asked for in one call. Each has an observation, which our own arithmetic
/// confirms. Throws Error if there are more than kMostCells.
class Cells {
 public:
  static constexpr std::size_t kMostCells = 20000;

  Cells(std::shared_ptr<const Vocabulary> vocabulary, std::vector<LinearComparison> comparisons);

  std::size_t size() const { return observations_.size(); }
  const std::vector<LinearComparison>& comparisons() const { return comparisons_; }
  const QuantisedObservation& observation(std::size_t cell) const { return observations_[cell]; }
  /// Whether a comparison holds in a cell.
  bool holds(std::size_t cell, std::size_t comparison) const {
    return comparisons_[comparison].holds(observations_[cell].places);
  }
  /// The cell of an observation.
  std::size_t find(const QuantisedObservation& observation) const;

  /// One observation of each cell in a table, in order. Throws Error if a place is not that of any float.
  std::shared_ptr<const ObservationTable> table() const;

 private:
  void find_places();

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::vector<LinearComparison> comparisons_;
  std::vector<QuantisedObservation> observations_;
};

/// One observation of every kind that these comparisons tell apart, if they can be listed in a few seconds;
/// null if there may be too many, or there is no Z3 to find them.
std::shared_ptr<const ObservationTable> listed_kinds(const std::shared_ptr<const Vocabulary>& vocabulary,
                                                     std::vector<LinearComparison> comparisons);

}  // namespace ndnf
