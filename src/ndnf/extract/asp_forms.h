#pragma once

#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/decision_list.h"
#include "ndnf/boxes/default_form.h"
#include "ndnf/boxes/exact_rules.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

// A deterministic policy as ASP, in three forms. Each rule's box is written over the atoms of the scope.

namespace ndnf {

/// Class E: `action(a) :- box.`, one rule per box.
Program exactly_one_program(std::span<const ExactRule> rules, const Scope& scope);

/// Class D: the same for all actions but one, and `action(d) :- not action(a), not action(b).`
Program default_program(const DefaultProgram& rules, const Scope& scope);

/// Class L. A rule holds where its box does and no earlier block holds. The latter is written `not action(a)`
/// or, for a block whose action occurs again further down, `not case_1`. `taken` are further names that
/// helper atoms must not have.
Program list_program(const DecisionList& list, const Scope& scope, const Vocabulary& taken);

}  // namespace ndnf
