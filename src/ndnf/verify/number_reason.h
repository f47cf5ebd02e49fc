#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/logic/bound_program.h"
#include "ndnf/verify/cells.h"

namespace ndnf {

/// Why a program over numbers decides as it does, over every observation within the grids (by its cells).
class NumberReasons {
 public:
  NumberReasons(const BoundProgram& bound, std::shared_ptr<const Vocabulary> vocabulary);

  /// What is true of an observation and suffices for its row: "velocity > 0.255 m/s, not windy"; none of it
  /// can be left out.
  struct Reason {
    std::string text;      ///< Empty if nothing is needed: the row is the same everywhere.
    bool smallest = true;  ///< No smaller set suffices.
  };
  Reason reason(const QuantisedObservation& at) const;

  /// What would have to change for another action: the fewest comparisons and groups, as they would be;
  /// nothing if the program takes it nowhere.
  struct Change {
    std::string text;
    QuantisedObservation observation;
  };
  std::optional<Change> why_not(const QuantisedObservation& at, ActionId action) const;

  /// An observation in each cell that satisfies a condition.
  const Cells& cells() const { return cells_; }
  const std::vector<double>& row(std::size_t cell) const { return rows_[cell]; }

 private:
  /// Comparisons first, then groups.
  std::size_t feature_count() const;
  bool same(std::size_t feature, std::size_t a, std::size_t b) const;
  bool suffices(const std::vector<std::size_t>& features, std::size_t cell) const;
  std::string text(std::size_t feature, std::size_t cell) const;
  std::string texts(const std::vector<std::size_t>& features, std::size_t cell) const;

  std::shared_ptr<const Vocabulary> vocabulary_;
  Cells cells_;
  std::vector<std::vector<double>> rows_;  ///< Per cell.
};

}  // namespace ndnf
