#pragma once

#include <span>
#include <string>
#include <vector>

#include "ndnf/boxes/decision_list.h"
#include "ndnf/boxes/default_form.h"
#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/exact_rules.h"
#include "ndnf/syntax/program.h"

// A deterministic policy as ASP, in three forms. Rules are over the atoms of the vocabulary.

namespace ndnf {

/// Class E: `action(a) :- body.`, rule by rule.
Program exactly_one_program(std::span<const ActionRule> rules, const Vocabulary& vocabulary);

/// Class D: the same for all actions but one, and `action(d) :- not action(a), not action(b).`
Program default_program(const DefaultProgram& rules, const Vocabulary& vocabulary);

/// Class L. A rule holds where its body does and no earlier block holds. The latter is written `not
/// action(a)` or, for a block whose action occurs again further down, `not case_1`. `taken` are further names
/// that helper atoms must not have.
Program list_program(const DecisionList& list, const Vocabulary& vocabulary, const Vocabulary& taken);

}  // namespace ndnf
