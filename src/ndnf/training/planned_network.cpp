#include "ndnf/training/planned_network.h"

#include <bit>
#include <utility>
#include <vector>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/compile/compile.h"
#include "ndnf/nodes/layered_rules.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {

NeuralDnf<double> planned_network(const BestActions& best,
                                  const std::shared_ptr<const ObservationTable>& table, bool ties) {
  std::vector<ObsId> known;
  std::vector<std::uint64_t> allowed;
  for (ObsId obs = 0; obs < best.size(); ++obs) {
    if (best[obs] == 0) continue;
    known.push_back(obs);
    allowed.push_back(ties ? best[obs] : best[obs] & (~best[obs] + 1));
  }
  ExactOptions quick;
  quick.search_limit = 0;  // `ndnf extract` looks for fewer rules
  const Vocabulary& vocabulary = table->vocabulary();
  Program program;
  for (const ActionRule& rule : extract_exactly(Scope(table, std::move(known)), allowed, quick).rules) {
    const std::string head = action_atom(vocabulary.action_name(rule.action));
    program.statements.push_back(define(head, {rule.body}, vocabulary).front());
  }
  return compile_asp(program, table->shared_vocabulary());
}

PolicyTable planned_policy(const BestActions& best, const ObservationTable& table, const ActionMask* mask) {
  const std::size_t actions = table.vocabulary().action_count();
  std::vector<double> rows(table.size() * actions, 0.0);
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    ActionId action = mask == nullptr ? 0 : mask->nth_allowed(obs, 0);
    if (obs < best.size() && best[obs] != 0) action = static_cast<ActionId>(std::countr_zero(best[obs]));
    rows[obs * actions + action] = 1;
  }
  return {actions, std::move(rows)};
}

}  // namespace ndnf
