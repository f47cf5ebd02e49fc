#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/nn/matrix.h"

namespace ndnf {

/// Learned action values. Rows are identified by the observation's contents, not by ids, so that a table can
/// be used outside of its run.
struct QTable {
  Matrix<std::uint32_t> observations;  // (n, groups) as ObservationTable::values gives them
  Matrix<double> q;                    // (n, actions)
};

/// The values of a learner, q (observations of `table`, actions), as a table. Throws Error if two
/// observations have the same atoms, i.e. differ only in their images.
QTable make_q_table(const ObservationTable& table, Matrix<double> q);

/// Takes the allowed action with the largest value, the first one on a tie. An observation without a row is
/// undefined.
class QTablePolicy final : public Policy {
 public:
  /// `mask`, if given, belongs to the tables that this is used with, and outlives it. REQUIRES: no two rows
  /// have the same observation.
  explicit QTablePolicy(QTable table, const ActionMask* mask = nullptr);
  std::size_t action_count() const override { return table_.q.cols(); }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;

 private:
  QTable table_;
  const ActionMask* mask_;
  std::map<std::vector<std::uint32_t>, std::size_t> rows_;  ///< By observation.
};

}  // namespace ndnf
