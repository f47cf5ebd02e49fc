#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/linear_comparison.h"
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

/// The facts of the observations, each with its number.
SolverText indexed_facts(const ObservationTable& table, std::span<const ObsId> ids) {
  const Vocabulary& vocabulary = table.vocabulary();
  SolverText text;
  text.add("ndnf_observation(0..{}).\n#show.\n#show action/2.\n#show ndnf_violated/1.\n", ids.size() - 1);
  text.add("#defined ndnf_violated/1.\n#defined action/2.\n");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const AtomId atom : table.facts(ids[i])) text.add_indexed_atom(vocabulary, atom, i).add(".\n");
    const std::vector<std::int32_t> places = places_of(table.dense(ids[i]), vocabulary);
    for (std::size_t q = 0; q < places.size(); ++q) {
      text.add_quantity(vocabulary, q).add("({},{}).\n", places[q], i);
    }
  }
  return text;
}

/// left and 3 of action(left,3).
std::pair<std::string_view, std::size_t> indexed_action(std::string_view shown, std::size_t count) {
  const std::vector<std::string_view> parts = arguments(shown);
  std::size_t number = count;
  if (parts.size() == 2) std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), number);
  if (number >= count) throw_nonsense("clingo", "an action has no observation");
  return {parts[0], number};
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

PolicyTable evaluate_indexed_with_clingo(const SolverText& rules, const ObservationTable& table,
                                         std::span<const ObsId> ids, const SolverLimits& limits) {
  const Vocabulary& vocabulary = table.vocabulary();
  const std::size_t actions = vocabulary.action_count();
  std::vector<double> rows(table.size() * actions);
  if (ids.empty()) return {actions, std::move(rows)};
  SolverText program = rules;
  program.add("\n").add(indexed_facts(table, ids));
  const ClingoAnswer answer = run_clingo(program, {"0"}, std::nullopt, limits);
  if (answer.models.size() != 1)
    throw_nonsense("clingo", fmt::format("{} answer sets instead of one", answer.models.size()));
  std::vector<std::size_t> violated;
  for (const std::string& shown : answer.models[0]) {
    if (const auto broken = numbers_of<1>(shown, "ndnf_violated", {ids.size()})) {
      violated.push_back((*broken)[0]);
      continue;
    }
    const auto [name, number] = indexed_action(shown, ids.size());
    const auto action = vocabulary.find_action(name);
    if (!action) throw Error("clingo", fmt::format("derives {}, which is not an action of the task", shown));
    rows[ids[number] * actions + *action] = 1;
  }
  for (const std::size_t number : violated) {
    std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(ids[number] * actions), actions, 0.0);
  }
  return {actions, std::move(rows)};
}

PolicyTable evaluate_with_clingo(const Program& program, const ObservationTable& table,
                                 std::span<const ObsId> ids, const SolverLimits& limits) {
  return evaluate_with_clingo(solver_text(program), table, ids, limits);
}

}  // namespace ndnf
