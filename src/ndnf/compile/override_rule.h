#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The program with one overriding rule added: where `when` holds, `action` is taken and no other. A
/// condition with several literals gets a name, override_1, override_2, …, that occurs neither in the program
/// nor in the task's vocabulary. REQUIRES: `when` is not empty.
Program with_override(Program program, const std::vector<BodyLiteral>& when, const std::string& action,
                      const Vocabulary& vocabulary);

/// A conjunction that holds in exactly these observations of the scope and has no redundant literal; nothing
/// if there is none.
std::optional<Conjunction> conjunction_for(const PositionSet& wanted, const Scope& scope);

}  // namespace ndnf
