#include "ndnf/reproduce/problog_query.h"

namespace ndnf {

SolverText problog_query(const SolverText& rules, const ObservationTable& table, ObsId obs,
                         bool as_probabilities) {
  const Vocabulary& vocabulary = table.vocabulary();
  SolverText text = rules;
  text.add("\n");
  for (AtomId atom = 0; atom < vocabulary.atom_count(); ++atom) {
    const bool holds = table.holds(obs, atom);
    if (as_probabilities) {
      text.add(holds ? OwnText("1.0::") : OwnText("0.0::")).add_atom(vocabulary, atom).add(".\n");
    } else {
      text.add_atom(vocabulary, atom).add(holds ? OwnText(".\n") : OwnText(" :- fail.\n"));
    }
  }
  for (ActionId action = 0; action < vocabulary.action_count(); ++action) {
    text.add("query(action(").add_action(vocabulary, action).add(")).\n");
  }
  return text;
}

}  // namespace ndnf
