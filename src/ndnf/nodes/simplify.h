#pragma once

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/nodes/layered_rules.h"

namespace ndnf {

/// Removes conjunctions that are redundant in the scope given the others, the smallest first.
Dnf irredundant(const Dnf& dnf, const Scope& scope);

/// The appendix's condensation and simplification, over the observations of the scope. Of equal nodes the
/// first is used. Atoms and nodes that are always true or always false are removed from bodies, and so are
/// bodies that cannot hold or occur twice.
void simplify(LayeredRules& rules, const Scope& scope);

}  // namespace ndnf
