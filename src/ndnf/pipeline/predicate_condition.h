#pragma once

#include <optional>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The condition as a conjunction of the encoder's predicates that holds in `where` and nowhere else in
/// `scope`, if there is one. There is none if an observation in `where` and one outside show the same
/// predicate values.
std::optional<std::vector<BodyLiteral>> in_predicates(const std::vector<ObsId>& where,
                                                      const std::vector<ObsId>& scope, const ActorView& view);

/// Whether the program decides by the encoder's predicates alone. Rules that define them are ignored.
bool decides_by_predicates(const PolicySource& source, const Task& task, const ActorView& invented);

/// The observations that a program over this view visits.
std::vector<ObsId> visited_by(const PolicySource& source, const Task& task, const ActorView& view);

}  // namespace ndnf
