#pragma once

#include <memory>

#include "ndnf/mdp/policy.h"
#include "ndnf/rules/rule_list.h"

namespace ndnf {

/// A list of rules as a policy.
class RulePolicy final : public Policy {
 public:
  RulePolicy(RuleList list, std::shared_ptr<const Features> features);
  std::size_t action_count() const override { return features_->vocabulary().action_count(); }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;

 private:
  RuleList list_;
  std::shared_ptr<const Features> features_;
};

}  // namespace ndnf
