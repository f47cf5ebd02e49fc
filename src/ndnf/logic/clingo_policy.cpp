#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/atoms.h"
#include "ndnf/logic/clingo.h"
#include "ndnf/logic/real_solvers.h"
#include "ndnf/logic/solver_text.h"

namespace ndnf {
namespace {

/// Which observation an answer set is about.
constexpr std::string_view kObservation = "ndnf_observation";

std::string choice_of_observation(const ObservationTable& table, std::span<const ObsId> ids) {
  std::string text = fmt::format("1 {{{}(0..{})}} 1.\n#show {}/1.\n#show action/1.\n", kObservation,
                                 ids.size() - 1, kObservation);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const AtomId atom : table.facts(ids[i])) {
      text += fmt::format("{} :- {}({}).\n", table.vocabulary().atom_name(atom), kObservation, i);
    }
  }
  return text;
}

/// The number of the observation, one of `count`, that an answer set is about.
std::size_t observation_of(const std::vector<std::string>& model, std::size_t count) {
  const auto atom = std::find_if(model.begin(), model.end(), [](const std::string& shown) {
    return shown.starts_with(kObservation) && shown[kObservation.size()] == '(';
  });
  if (atom == model.end()) throw Error("clingo", "gives an answer set without an observation");
  std::size_t number = count;
  std::from_chars(atom->data() + kObservation.size() + 1, atom->data() + atom->size(), number);
  if (number >= count) throw Error("clingo", fmt::format("gives an answer set about {}", *atom));
  return number;
}

void read_row(const std::vector<std::string>& model, const Vocabulary& vocabulary, std::span<double> row) {
  for (const std::string& shown : model) {
    const auto name = action_of(shown);
    if (!name) continue;
    const auto action = vocabulary.find_action(*name);
    if (!action) throw Error("clingo", fmt::format("concludes {}, which is no action of the task", shown));
    row[*action] = 1;
  }
}

}  // namespace

PolicyTable evaluate_with_clingo(std::string_view rules, const ObservationTable& table,
                                 std::span<const ObsId> ids) {
  const std::size_t actions = table.vocabulary().action_count();
  std::vector<double> rows(table.size() * actions);
  if (ids.empty()) return {actions, std::move(rows)};
  const std::string program = fmt::format("{}\n{}", rules, choice_of_observation(table, ids));
  const ClingoAnswer answer = run_clingo(program, {"0"});
  if (answer.models.size() != ids.size()) {
    throw Error("clingo",
                fmt::format("finds {} answer sets for {} observations", answer.models.size(), ids.size()),
                "each has exactly one");
  }
  for (const std::vector<std::string>& model : answer.models) {
    const ObsId obs = ids[observation_of(model, ids.size())];
    read_row(model, table.vocabulary(), std::span(rows).subspan(obs * actions, actions));
  }
  return {actions, std::move(rows)};
}

PolicyTable evaluate_with_clingo(const Program& program, const ObservationTable& table,
                                 std::span<const ObsId> ids) {
  return evaluate_with_clingo(solver_text(program), table, ids);
}

}  // namespace ndnf
