#pragma once

#include <vector>

#include "ndnf/boxes/scope.h"
#include "ndnf/nodes/layered_rules.h"

namespace ndnf {

/// Whether the DNF holds in each observation of the scope.
std::vector<bool> truth(const Dnf& dnf, const Scope& scope);

/// Leaves out conjunctions that the others make superfluous in the scope, the smallest first.
Dnf irredundant(const Dnf& dnf, const Scope& scope);

/// The appendix's condensation and simplification, over the observations of the scope: of equal nodes the
/// first is used, atoms and nodes that are always true or always false vanish from bodies, and so do bodies
/// that cannot hold or are there twice.
void simplify(LayeredRules& rules, const Scope& scope);

}  // namespace ndnf
