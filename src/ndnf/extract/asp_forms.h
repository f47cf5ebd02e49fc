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

/// Class L. A rule holds where its box does and no block before its own; that these do not is said by
/// `not action(a)` or, of a block whose action comes again further down, by `not case_1`. `taken` are names
/// that helper atoms must not have beside those of the scope.
Program list_program(const DecisionList& list, const Scope& scope, const Vocabulary& taken);

}  // namespace ndnf
