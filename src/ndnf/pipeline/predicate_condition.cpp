#include "ndnf/pipeline/predicate_condition.h"

#include <algorithm>

#include "ndnf/compile/conjunction_for.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/nodes/subject.h"

namespace ndnf {

std::optional<std::vector<BodyLiteral>> in_predicates(const std::vector<ObsId>& where,
                                                      const std::vector<ObsId>& scope,
                                                      const ActorView& view) {
  const Scope rows(view.table, seen(view, scope));
  PositionSet wanted(rows.size());
  PositionSet others(rows.size());
  for (const ObsId obs : scope) {
    const auto all = rows.observations();
    const auto position = std::lower_bound(all.begin(), all.end(), view.seen_as[obs]) - all.begin();
    PositionSet& side = std::binary_search(where.begin(), where.end(), obs) ? wanted : others;
    side.insert(static_cast<std::size_t>(position));
  }
  if (wanted.empty() || wanted.intersects(others)) return std::nullopt;
  const auto literals = conjunction_for(wanted, rows);
  if (!literals || literals->empty()) return std::nullopt;
  std::vector<BodyLiteral> body;
  for (const AtomLiteral& literal : *literals)
    body.push_back({rows.vocabulary().atom_name(literal.atom), literal.positive});
  return body;
}

bool decides_by_predicates(const PolicySource& source, const Task& task, const ActorView& invented) {
  const ObservationTable& table = task.model().observations();
  const Program program = over_view(invented, table, source.program(task, table.vocabulary()));
  return std::none_of(program.statements.begin(), program.statements.end(), [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule != nullptr &&
           std::any_of(rule->body.begin(), rule->body.end(), [&](const BodyLiteral& literal) {
             return table.vocabulary().find_atom(literal.atom).has_value();
           });
  });
}

std::vector<ObsId> visited_by(const PolicySource& source, const Task& task, const ActorView& view) {
  const Program program =
      over_view(view, task.model().observations(), source.program(task, view.table->vocabulary()));
  const PolicyTable policy = tabulate(BoundProgram(program, view.table->shared_vocabulary()), *view.table);
  return visited(task.model(), on_environment(view, policy)).observations;
}

}  // namespace ndnf
