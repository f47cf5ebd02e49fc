#pragma once

#include <optional>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"

namespace ndnf {

/// A conjunction that holds in exactly these observations of the scope and has no redundant literal; nothing
/// if there is none.
std::optional<Conjunction> conjunction_for(const PositionSet& wanted, const Scope& scope);

}  // namespace ndnf
