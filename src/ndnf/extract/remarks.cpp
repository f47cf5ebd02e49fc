#include "ndnf/extract/remarks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

struct Firing {
  std::size_t observations = 0;  // reachable ones in which it fires
  double decisions = 0;          // expected, per episode
};

std::vector<Firing> firings(const BoundProgram& bound, std::size_t statements, const FiniteModel& model,
                            const std::vector<double>& visits) {
  std::vector<Firing> result(statements);
  for (const ObsId obs : reachable(model).observations) {
    for (const std::size_t s : bound.fired(model.observations(), obs)) {
      ++result[s].observations;
      result[s].decisions += visits[obs];
    }
  }
  return result;
}

// The sort key of a rule: rules with the same key stay together, annotated disjunctions too.
std::string kind(const Statement& statement) {
  const HeadAtom& head = std::get<Rule>(statement.content).heads.front();
  return head.annotated ? "::" : head.atom;
}

// Kinds in the order of their first rule.
std::vector<std::size_t> general_first(const Program& program, const std::vector<Firing>& fired) {
  std::map<std::string, std::size_t> rank;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // (rank of the kind, statement)
  for (std::size_t s = 0; s < program.statements.size(); ++s) {
    order.emplace_back(rank.emplace(kind(program.statements[s]), rank.size()).first->second, s);
  }
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return fired[a.second].observations > fired[b.second].observations;
  });
  std::vector<std::size_t> statements;
  for (const auto& [_, s] : order) statements.push_back(s);
  return statements;
}

}  // namespace

void add_remarks(Program& program, const FiniteModel& model, const Selection& selection, RuleOrder order) {
  const BoundProgram bound(program, model.observations().shared_vocabulary());
  const PolicyTable rows = tabulate(bound, model.observations());
  const Evaluation evaluation = evaluate_exactly(model, select(rows, selection));
  if (!evaluation.has_return() || !std::isfinite(evaluation.length)) return;
  const std::vector<Firing> fired = firings(bound, program.statements.size(), model, evaluation.visits);
  for (std::size_t s = 0; s < fired.size(); ++s) {
    program.statements[s].remark =
        fmt::format("{:.1f} % of decisions", 100 * fired[s].decisions / evaluation.length);
  }
  if (order == RuleOrder::kAsWritten) return;
  std::vector<Statement> ordered;
  for (const std::size_t s : general_first(program, fired)) {
    ordered.push_back(std::move(program.statements[s]));
  }
  program.statements = std::move(ordered);
}

}  // namespace ndnf
