#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/base/svg.h"
#include "ndnf/report/place_map.h"

namespace ndnf {

/// What a policy does in one observation.
struct ListedObservation {
  std::string observation;
  std::vector<double> probabilities{};  ///< Per action; empty if the policy is undefined here.
  std::string undefined{};              ///< Why.
  std::optional<double> value{};  ///< The expected return from there, over its states as they are visited.
  double visits = 0;              ///< Expected decisions in an episode.
  bool differs = false;           ///< The reference never takes its most probable action.
};

/// A policy of a task without places: observation by observation.
struct ObservationList {
  std::string title;
  std::string remark{};
  std::vector<DrawnAction> actions;
  std::vector<ListedObservation> rows;
  std::size_t left_out = 0;                      ///< Observations that are not listed.
  std::string reference = "the optimal policy";  ///< What `differs` compares with.
};

Svg draw(const ObservationList& list, PolicyAspect aspect);
std::string to_text(const ObservationList& list, PolicyAspect aspect, std::size_t width = 80);

}  // namespace ndnf
