#pragma once

#include <optional>
#include <span>
#include <string>

#include "ndnf/mdp/policy.h"

namespace ndnf {

/// An observation in which a policy is undefined.
struct UndefinedWitness {
  ObsId obs = 0;
  std::string sentence;  ///< "in hand(18), dealer(9) the policy names no action".
};

/// The first observation of the scope in which not exactly one action holds, or the probabilities do not sum
/// to 1; nothing if the policy is defined in all of them.
std::optional<UndefinedWitness> find_undefined(const PolicyTable& policy, const ObservationTable& table,
                                               std::span<const ObsId> scope);

}  // namespace ndnf
