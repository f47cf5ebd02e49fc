#include "ndnf/reproduce/problog_query.h"

#include <fmt/format.h>

namespace ndnf {

std::string problog_query(const std::string& rules, const ObservationTable& table, ObsId obs,
                          bool as_probabilities) {
  std::string text = rules + "\n";
  for (AtomId atom = 0; atom < table.vocabulary().atom_count(); ++atom) {
    const std::string& name = table.vocabulary().atom_name(atom);
    const bool holds = table.holds(obs, atom);
    if (as_probabilities) {
      text += fmt::format("{}::{}.\n", holds ? "1.0" : "0.0", name);
    } else {
      text += name + (holds ? ".\n" : " :- fail.\n");
    }
  }
  for (const std::string& action : table.vocabulary().actions())
    text += fmt::format("query(action({})).\n", action);
  return text;
}

}  // namespace ndnf
