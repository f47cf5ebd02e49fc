#pragma once

#include <vector>

#include "ndnf/model/checkpoint.h"
#include "ndnf/report/heat_map.h"

namespace ndnf {

/// The weights of a neural DNF: its conjunctions and its disjunctions. Empty for other models. Inputs are the
/// atoms, or the predicates a_0, a_1, … of an encoder; conjunctions are numbered as `--lock conj_N` counts
/// them.
std::vector<HeatMap> weight_maps(const Checkpoint& checkpoint);

}  // namespace ndnf
