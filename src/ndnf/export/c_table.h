#pragma once

#include <span>

#include "ndnf/export/c_file.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A table of probabilities in C: looks up the observation among those of the scope; for any other it names
/// no action. Throws Error if two of them have the same atoms.
CBody table_in_c(const PolicyTable& policy, const ObservationTable& table, std::span<const ObsId> scope,
                 const CFile& file);

}  // namespace ndnf
