#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ndnf/optimum/optimum.h"

namespace ndnf {

/// Adds `optimum` (the best return found), `optimum_proof`, `optimum_bound`, and the distances of
/// `mean_return` to the best return and to the bound: `gap` and `gap_bound`.
void add_optimum(nlohmann::ordered_json& json, const BestReturn& optimum, double mean_return);

}  // namespace ndnf
