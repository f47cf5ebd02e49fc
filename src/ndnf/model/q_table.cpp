#include "ndnf/model/q_table.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {

QTable make_q_table(const ObservationTable& table, Matrix<double> q) {
  assert(q.rows() == table.size());
  QTable result{Matrix<std::uint32_t>(table.size(), table.vocabulary().group_count()), std::move(q)};
  std::set<std::vector<std::uint32_t>> seen;
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    const auto values = table.values(obs);
    if (!seen.emplace(values.begin(), values.end()).second) {
      throw Error("", fmt::format("two observations show {}", table.describe(obs)),
                  "a Q-table tells observations apart by their atoms");
    }
    std::copy(values.begin(), values.end(), result.observations.row(obs));
  }
  return result;
}

QTablePolicy::QTablePolicy(QTable table, const ActionMask* mask) : table_(std::move(table)), mask_(mask) {
  for (std::size_t r = 0; r < table_.q.rows(); ++r) {
    const std::uint32_t* values = table_.observations.row(r);
    rows_.emplace(std::vector<std::uint32_t>(values, values + table_.observations.cols()), r);
  }
}

void QTablePolicy::probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                                 std::span<double> rows) const {
  std::fill(rows.begin(), rows.end(), 0.0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto values = table.values(ids[i]);
    const auto found = rows_.find({values.begin(), values.end()});
    if (found == rows_.end()) continue;
    const double* q = table_.q.row(found->second);
    ActionId best = mask_ == nullptr ? 0 : mask_->nth_allowed(ids[i], 0);
    for (ActionId a = best; a < action_count(); ++a) {
      if (q[a] > q[best] && (mask_ == nullptr || mask_->allows(ids[i], a))) best = a;
    }
    rows[i * action_count() + best] = 1;
  }
}

}  // namespace ndnf
