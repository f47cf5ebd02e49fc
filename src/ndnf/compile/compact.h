#pragma once

#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The same ASP program with runs of values abbreviated in clingo's syntax, `hand(12..16)` or
/// `hand(4..11;17)`, where that is shorter than the literals it replaces. Its atoms are no longer ground.
/// Equivalent on the scope.
Program compacted(const Program& program, const Scope& scope);

}  // namespace ndnf
