#include "ndnf/logic/undefined.h"

#include <fmt/format.h>

namespace ndnf {

std::optional<UndefinedWitness> find_undefined(const PolicyTable& policy, const ObservationTable& table,
                                               std::span<const ObsId> scope) {
  for (const ObsId obs : scope) {
    if (policy.defined(obs)) continue;
    return UndefinedWitness{obs, fmt::format("in {} the policy {}", table.describe(obs), policy.defect(obs))};
  }
  return std::nullopt;
}

}  // namespace ndnf
