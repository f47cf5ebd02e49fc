#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/mdp/expectation.h"
#include "ndnf/optimum/optimum.h"

namespace ndnf {

/// Adds `return` with `exact`, `stderr` and `episodes`.
void add_return(nlohmann::ordered_json& json, const Expectation& mean_return);

/// Adds `optimum` (the best return found), `optimum_proof`, `optimum_bound`, and the distances of
/// `mean_return` to the best return and to the bound: `gap` and `gap_bound`. All
/// are null where there is no optimum to compare with.
void add_optimum(nlohmann::ordered_json& json, const std::optional<BestReturn>& optimum, double mean_return);

}  // namespace ndnf
