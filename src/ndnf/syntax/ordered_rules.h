#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// Consecutive rules of a list with the same action, [begin, end). Their order among themselves does not
/// matter.
struct ListBlock {
  ActionId action = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool named = false;  ///< Its action occurs again further down, so it needs a helper atom as a name.
};

/// The blocks of a list whose rules have these actions.
std::vector<ListBlock> blocks(std::span<const ActionId> actions, ActionId otherwise);

/// `action :- body`. The body's comparisons of quantities are literals, too (comparison_literal).
struct OrderedRule {
  ActionId action = 0;
  std::vector<BodyLiteral> body;
};

/// Of which the first whose body holds decides, or `otherwise` if none does.
struct OrderedRules {
  std::vector<OrderedRule> rules;
  ActionId otherwise = 0;
};

/// The list in ASP, block by block. The order is expressed by `not action(stick)`, or by `not case_1` if the
/// action of an earlier block occurs again further down. Comparisons are read in the task's units in a
/// remark. No helper atom has a name in one of the vocabularies; `taken` may be null.
Program ordered_program(const OrderedRules& list, const Vocabulary& vocabulary,
                        const Vocabulary* taken = nullptr);

/// The reverse: the list that an ASP program says in this way, whoever wrote it; nothing for other programs.
std::optional<OrderedRules> ordered_rules_of(const Program& program, const Vocabulary& vocabulary);

/// "position in 0.001 m, velocity in 0.001 m/s": what the whole numbers in rules mean. Empty without
/// quantities that have a grid.
std::string units_comment(const Vocabulary& vocabulary);

/// The remark of a rule: its comparisons in the task's units, "velocity > 0.255 m/s"; empty without any.
std::string readings(const Rule& rule, const Vocabulary& vocabulary);

}  // namespace ndnf
