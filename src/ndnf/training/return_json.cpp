#include "ndnf/training/return_json.h"

#include <nlohmann/json.hpp>

namespace ndnf {

void add_optimum(nlohmann::ordered_json& json, const BestReturn& optimum, double mean_return) {
  json["optimum"] = optimum.found;
  json["optimum_proof"] = to_string(optimum.proof);
  json["optimum_bound"] = optimum.bound;
  json["gap"] = optimum.gap(mean_return);
  json["gap_bound"] = optimum.gap_bound(mean_return);
}

}  // namespace ndnf
