#pragma once

#include <cstdint>
#include <variant>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/report/film_strip.h"
#include "ndnf/report/observation_list.h"
#include "ndnf/report/place_map.h"

namespace ndnf {

/// A policy in a finite task, as it is drawn: `own` has its rows as they are, `taken` the probabilities with
/// which actions are taken.
struct DrawnPolicy {
  const Task& task;
  TaskPolicy own;
  TaskPolicy taken;
};

/// The actions of a task with the marks of its layout, or the usual ones.
std::vector<DrawnAction> drawn_actions(const Task& task);

/// "policy.lp on taxi".
std::string picture_title(const std::string& policy, const Task& task);

/// The policy in the places of the task; one observation after the other if it has none. `values_needed`:
/// throws Error if they cannot be computed; otherwise they are left out. Throws Error if there are too many
/// places.
std::variant<PlaceMap, ObservationList> view_policy(const DrawnPolicy& policy, bool values_needed);

/// The same for a task without a finite model, without values: the plane of two numbers if the task shows
/// nothing else, otherwise the observations of a few sampled episodes.
std::variant<PlaceMap, ObservationList> view_samples(const Task& task, const PolicySource& source,
                                                     const Selection& selection, std::uint64_t seed);

/// One episode, with pictures of its states and the rules that fired.
FilmStrip view_episode(const DrawnPolicy& policy, std::uint64_t seed);
/// The same for a task without a finite model, and so without pictures.
FilmStrip view_episode(const Task& task, const PolicySource& source, const Selection& selection,
                       std::uint64_t seed);

}  // namespace ndnf
