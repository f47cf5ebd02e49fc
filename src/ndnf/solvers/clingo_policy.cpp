#include <optional>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/solvers/clingo.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

/// One answer set per observation: exactly one number K holds, and with it the facts of observation K.
SolverText choice_of_observation(const ObservationTable& table, std::span<const ObsId> ids) {
  SolverText text;
  text.add("1 {{ndnf_observation(0..{})}} 1.\n", ids.size() - 1);
  text.add("#show.\n#show ndnf_observation/1.\n#show action/1.\n");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const AtomId atom : table.facts(ids[i])) {
      text.add_atom(table.vocabulary(), atom).add(" :- ndnf_observation({}).\n", i);
    }
  }
  return text;
}

/// The number of the observation, below `count`, that an answer set belongs to.
std::size_t observation_of(const std::vector<std::string>& model, std::size_t count) {
  std::optional<std::size_t> found;
  for (const std::string& shown : model) {
    const auto numbers = numbers_of<1>(shown, "ndnf_observation", {count});
    if (numbers && found) throw_nonsense("clingo", "an answer set has two observations");
    if (numbers) found = (*numbers)[0];
  }
  if (!found) throw_nonsense("clingo", "an answer set has no observation");
  return *found;
}

void read_row(const std::vector<std::string>& model, const Vocabulary& vocabulary, std::span<double> row) {
  for (const std::string& shown : model) {
    const auto name = action_of(shown);
    if (!name) continue;
    const auto action = vocabulary.find_action(*name);
    if (!action) throw Error("clingo", fmt::format("derives {}, which is not an action of the task", shown));
    row[*action] = 1;
  }
}

}  // namespace

PolicyTable evaluate_with_clingo(const SolverText& rules, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits) {
  const std::size_t actions = table.vocabulary().action_count();
  std::vector<double> rows(table.size() * actions);
  if (ids.empty()) return {actions, std::move(rows)};
  SolverText program = rules;
  program.add("\n").add(choice_of_observation(table, ids));
  const ClingoAnswer answer = run_clingo(program, {"0"}, std::nullopt, limits);
  // An observation that violates an integrity constraint has no answer set, and so no action.
  const bool too_few = answer.models.size() < ids.size() && !program.has_constraints();
  if (too_few || answer.models.size() > ids.size()) {
    throw Error("clingo",
                fmt::format("finds {} answer sets for {} observations", answer.models.size(), ids.size()),
                "there must be exactly one for each");
  }
  std::vector<bool> answered(ids.size(), false);
  for (const std::vector<std::string>& model : answer.models) {
    const std::size_t number = observation_of(model, ids.size());
    if (answered[number]) throw_nonsense("clingo", "two answer sets have the same observation");
    answered[number] = true;
    read_row(model, table.vocabulary(), std::span(rows).subspan(ids[number] * actions, actions));
  }
  return {actions, std::move(rows)};
}

PolicyTable evaluate_with_clingo(const Program& program, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits) {
  return evaluate_with_clingo(solver_text(program), table, ids, limits);
}

}  // namespace ndnf
