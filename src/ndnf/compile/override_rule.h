#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The program with one rule more, before which all others step back: where `when` holds, `action` is taken
/// and no other. A condition of several literals gets a name of its own, override_1, override_2, …, which
/// neither the program nor the task's vocabulary has. REQUIRES: `when` has a literal.
Program with_override(Program program, const std::vector<BodyLiteral>& when, const std::string& action,
                      const Vocabulary& vocabulary);

/// A conjunction that holds in just these observations of the scope, without a literal that could go;
/// nothing if there is none.
std::optional<std::vector<AtomLiteral>> conjunction_for(const PositionSet& wanted, const Scope& scope);

}  // namespace ndnf
