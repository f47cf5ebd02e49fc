#include "ndnf/training/return_json.h"

#include <nlohmann/json.hpp>

namespace ndnf {

void add_return(nlohmann::ordered_json& json, const Expectation& mean_return) {
  json["return"] = mean_return.value;
  json["exact"] = mean_return.exact();
  json["stderr"] = mean_return.standard_error;
  json["episodes"] = mean_return.episodes;
}

void add_optimum(nlohmann::ordered_json& json, const std::optional<BestReturn>& optimum, double mean_return) {
  if (!optimum) {
    for (const char* key : {"optimum", "optimum_proof", "optimum_bound", "gap", "gap_bound"})
      json[key] = nullptr;
    return;
  }
  json["optimum"] = optimum->found;
  json["optimum_proof"] = to_string(optimum->proof);
  json["optimum_bound"] = optimum->bound;
  json["gap"] = optimum->gap(mean_return);
  json["gap_bound"] = optimum->gap_bound(mean_return);
}

}  // namespace ndnf
