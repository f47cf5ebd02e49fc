#pragma once

#include "ndnf/logic/program.h"
#include "ndnf/symbolic/scope.h"

namespace ndnf {

/// The same ASP program with runs of values folded as clingo writes them, `hand(12..16)` or `hand(4..11;17)`,
/// where that is shorter than the literals it replaces. Its atoms are no longer ground. Equal on the scope.
Program compacted(const Program& program, const Scope& scope);

}  // namespace ndnf
