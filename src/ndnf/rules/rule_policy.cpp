#include "ndnf/rules/rule_policy.h"

#include <algorithm>
#include <utility>

namespace ndnf {

RulePolicy::RulePolicy(RuleList list, std::shared_ptr<const Features> features)
    : list_(std::move(list)), features_(std::move(features)) {}

void RulePolicy::probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                               std::span<double> rows) const {
  std::fill(rows.begin(), rows.end(), 0.0);
  std::vector<std::int32_t> row(features_->size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    features_->write(table, ids[i], row);
    rows[i * action_count() + list_.decide(row)] = 1;
  }
}

}  // namespace ndnf
