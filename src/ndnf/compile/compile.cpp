#include "ndnf/compile/compile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/boxes/minimum_cover.h"
#include "ndnf/compile/unfold.h"
#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/distributions/free_bias.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/nn/semi_symbolic.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/term.h"

namespace ndnf {
namespace {

/// The same program without integrity constraints: an action holds where its rules say so and no constraint
/// is violated. Constraints may refer to actions, so those in rules get another name.
Program without_constraints(Program program) {
  const auto raw = [](std::string& atom) {
    if (const auto action = action_of(atom)) atom = fmt::format("ndnf_do({})", *action);
  };
  std::set<std::string> actions;
  bool constrained = false;
  for (Statement& statement : program.statements) {
    Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    constrained = constrained || rule->heads.front().atom == kConstraint;
    if (action_of(rule->heads.front().atom)) actions.insert(rule->heads.front().atom);
  }
  if (!constrained) return program;
  for (Statement& statement : program.statements) {
    Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule == nullptr) continue;
    raw(rule->heads.front().atom);
    for (BodyLiteral& literal : rule->body) raw(literal.atom);
  }
  for (const std::string& action : actions) {
    BodyLiteral decided{action, true, {}};
    raw(decided.atom);
    const BodyLiteral allowed{std::string(kConstraint), false, {}};
    program.statements.push_back({{}, Rule{{{action, 1, false, {}}}, {decided, allowed}, {}, {}}, ""});
  }
  return program;
}

/// The disjunction of all rules for each action.
std::vector<Dnf> action_bodies(const Program& program, const Scope& scope) {
  const std::vector<Dnf> bodies = unfold(program, scope, Care::kAll);
  std::vector<Dnf> actions(scope.vocabulary().action_count());
  for (std::size_t s = 0; s < bodies.size(); ++s) {
    const Rule* rule = std::get_if<Rule>(&program.statements[s].content);
    if (rule == nullptr) continue;
    const auto action = action_of(rule->heads.front().atom);
    if (!action) continue;
    Dnf& all = actions[*scope.vocabulary().find_action(*action)];
    all.insert(all.end(), bodies[s].begin(), bodies[s].end());
  }
  for (Dnf& dnf : actions) dnf = absorbed(dnf, scope);
  return actions;
}

/// Without conjunctions that the others cover together; the last are removed first.
Dnf without_covered(const Dnf& dnf, const Scope& scope) {
  std::vector<PositionSet> sets;
  for (const Conjunction& conjunction : dnf) sets.push_back(members(conjunction, scope));
  Dnf kept;
  for (const std::size_t k : irredundant(sets)) kept.push_back(dnf[k]);
  return kept;
}

/// Groups the observations of a scope into classes with the same distribution. The DNF of a class consists of
/// the bodies of the rules that fire in it. Rules for different classes never fire together, so it holds in
/// exactly the observations of the class.
class ProblogClasses {
 public:
  ProblogClasses(const Program& program, const Scope& scope)
      : program_(program),
        scope_(scope),
        bound_(program, scope.table().shared_vocabulary()),
        rows_(tabulate(bound_, scope.table())),
        mistakes_(program.source) {}

  DistributionClasses find() {
    if (bound_.has_draws()) return from_table();
    for (const ObsId obs : scope_.observations()) classify(obs);
    mistakes_.throw_if_any();
    const std::vector<Dnf> bodies = unfold(program_, scope_, Care::kScope);
    for (const auto& [statement, m] : class_of_statement_) {
      Dnf& dnf = classes_.classes[m].dnf;
      dnf.insert(dnf.end(), bodies[statement].begin(), bodies[statement].end());
    }
    for (DistributionClass& one : classes_.classes) {
      one.dnf = without_covered(absorbed(one.dnf, scope_), scope_);
    }
    return std::move(classes_);
  }

 private:
  const Rule& rule(std::size_t statement) const {
    return std::get<Rule>(program_.statements[statement].content);
  }

  /// Where helpers have probabilities, no rule has the distribution of an observation: the table has it.
  DistributionClasses from_table() {
    Matrix<double> targets(scope_.size(), scope_.vocabulary().action_count());
    for (std::size_t i = 0; i < scope_.size(); ++i) {
      const ObsId obs = scope_.observations()[i];
      if (!rows_.defined(obs)) {
        mistakes_.add(
            {}, fmt::format("in {} the program {}, expected a distribution in every reachable observation",
                            scope_.table().describe(obs), rows_.defect(obs)));
      }
      std::copy(rows_.row(obs).begin(), rows_.row(obs).end(), targets.row(i));
    }
    mistakes_.throw_if_any();
    return distribution_classes(scope_, targets, 0);
  }

  /// The rules for actions that fire, ascending.
  std::vector<std::size_t> decisions(ObsId obs) const {
    std::vector<std::size_t> fired = bound_.fired(scope_.table(), obs);
    std::erase_if(fired, [&](std::size_t s) { return !action_of(rule(s).heads.front().atom); });
    return fired;
  }

  void classify(ObsId obs) {
    const std::vector<std::size_t> fired = decisions(obs);
    if (const auto both = overlap(fired)) return report_overlap(*both, obs);
    if (!rows_.defined(obs)) return report_undefined(fired, obs);
    const std::vector<double> p(rows_.row(obs).begin(), rows_.row(obs).end());
    const auto [entry, is_new] = numbers_.emplace(p, classes_.classes.size());
    if (is_new) classes_.classes.push_back({p, {}});
    for (const std::size_t s : fired) class_of_statement_[s] = entry->second;
    classes_.class_of.push_back(entry->second);
  }

  /// Two rules that must not fire together, because ProbLog would treat them as independent choices.
  std::optional<std::pair<std::size_t, std::size_t>> overlap(const std::vector<std::size_t>& fired) const {
    for (std::size_t k = 1; k < fired.size(); ++k) {
      const bool harmless = certain_action(fired[0]) && certain_action(fired[0]) == certain_action(fired[k]);
      if (!harmless) return std::pair(fired[0], fired[k]);
    }
    return std::nullopt;
  }
  std::optional<std::string> certain_action(std::size_t statement) const {
    const HeadAtom& head = rule(statement).heads.front();
    if (rule(statement).heads.size() > 1 || head.probability < 1) return std::nullopt;
    return head.atom;
  }

  void report_overlap(std::pair<std::size_t, std::size_t> both, ObsId obs) {
    if (!overlaps_.insert(both).second) return;
    const Place first = rule(both.first).place;
    mistakes_.add(rule(both.second).place,
                  fmt::format("its body and that of the rule at {}:{} both hold in {}, expected bodies that "
                              "exclude each other",
                              first.line, first.column, scope_.table().describe(obs)));
  }

  void report_undefined(const std::vector<std::size_t>& fired, ObsId obs) {
    const std::string where = scope_.table().describe(obs);
    if (fired.empty()) {
      mistakes_.add({},
                    fmt::format("no rule holds in {}, expected one in every reachable observation", where));
    } else if (incomplete_.insert(fired.front()).second) {
      mistakes_.add(rule(fired.front()).place,
                    fmt::format("its probabilities sum to {}, expected 1 because it holds in {}",
                                std::accumulate(rows_.row(obs).begin(), rows_.row(obs).end(), 0.0), where));
    }
  }

  const Program& program_;
  const Scope& scope_;
  BoundProgram bound_;
  PolicyTable rows_;
  Mistakes mistakes_;
  std::set<std::pair<std::size_t, std::size_t>> overlaps_;
  std::set<std::size_t> incomplete_;
  std::map<std::vector<double>, std::size_t> numbers_;  // of the classes
  std::map<std::size_t, std::size_t> class_of_statement_;
  DistributionClasses classes_;
};

/// The constant of a disjunction with these weights: its logical bias, Eq. (1).
double bias_of(std::span<const double> w) {
  return logical_bias(w, NodeType::kDisjunction, BiasType::kMax, 1);
}

/// One action of a network with a free bias in float32; the last weight belongs to a second conjunction that
/// is always true. The bias is a sum over all conjunctions, so rounding the one weight that carries it would
/// be visible in the probabilities: the second conjunction compensates the rounding error.
std::vector<double> rounded(std::vector<double> w) {
  const double base = w[0] + bias_of(w) - std::accumulate(w.begin() + 1, w.end(), 0.0);
  for (double& weight : w) weight = static_cast<float>(weight);
  const std::span<const double> others = std::span(w).subspan(1);
  const double bias = base + std::accumulate(others.begin(), others.end(), 0.0);
  const double wanted = weight_for_bias(others, bias);
  auto below = static_cast<float>(wanted);
  if (below > wanted) below = std::nextafter(below, -std::numeric_limits<float>::infinity());
  w[0] = below;
  // A small weight r > 0 beside a larger one adds itself and |r| to the bias.
  w.push_back(static_cast<float>((bias - w[0] - bias_of(w)) / 2));
  return w;
}

NeuralDnf<double> rounded(const NeuralDnf<double>& exact) {
  NeuralDnf<double> network = exact;
  const std::size_t conjunctions = exact.conjunctions.cols();
  network.conjunctions = Matrix<double>(exact.conjunctions.rows(), conjunctions + 1);
  for (std::size_t i = 0; i < exact.conjunctions.rows(); ++i) {
    std::copy_n(exact.conjunctions.row(i), conjunctions, network.conjunctions.row(i));
  }
  network.disjunctions = Matrix<double>(conjunctions + 1, exact.disjunctions.cols());
  for (std::size_t a = 0; a < exact.disjunctions.cols(); ++a) {
    std::vector<double> column(conjunctions);
    for (std::size_t k = 0; k < conjunctions; ++k) column[k] = exact.disjunctions(k, a);
    column = rounded(std::move(column));
    for (std::size_t k = 0; k < column.size(); ++k) network.disjunctions(k, a) = column[k];
  }
  return network;
}

}  // namespace

// Appendix A. With weights ±6 on n literals, Eq. (1) with delta = 1 gives the bias 6 − 6n: the sum is 6 if
// all literals hold and at most −6 otherwise, and step makes it ±1. A disjunction of m conjunctions with
// weights 6 has the bias 6m − 6: its raw output is at least 6 if one of them holds and −6 otherwise. Linear
// in the unfolded program; unfolding itself may be exponential (unfold.cpp).
NeuralDnf<double> compile_asp(const Program& program, const std::shared_ptr<const Vocabulary>& vocabulary) {
  const BoundProgram bound(program, vocabulary);  // reports mistakes
  const Scope scope = every_value(vocabulary);
  const std::vector<Dnf> actions = action_bodies(without_constraints(program), scope);
  std::map<Conjunction, std::size_t> numbers;
  std::vector<Conjunction> conjunctions;
  const auto number = [&](const Conjunction& conjunction) {
    const auto [entry, is_new] = numbers.emplace(conjunction, conjunctions.size());
    if (is_new) conjunctions.push_back(conjunction);
    return entry->second;
  };
  struct Edge {
    std::size_t conjunction;
    std::size_t action;
    double weight;
  };
  std::vector<Edge> edges;
  for (std::size_t a = 0; a < actions.size(); ++a) {
    for (const Conjunction& body : actions[a]) edges.push_back({number(body), a, kSymbolicWeight});
    // An action without rules is "not true" rather than a node without weights, which would be neither true
    // nor false.
    if (actions[a].empty()) edges.push_back({number({}), a, -kSymbolicWeight});
  }
  NeuralDnf<double> network;
  network.activation = Activation::kStep;
  network.conjunctions = conjunctive_weights(conjunctions, vocabulary->atom_count());
  network.disjunctions = Matrix<double>(conjunctions.size(), actions.size());
  for (const Edge& edge : edges) network.disjunctions(edge.conjunction, edge.action) = edge.weight;
  return network;
}

NeuralDnf<double> compile_problog(const Program& program, const Scope& scope) {
  return rounded(network(ProblogClasses(program, scope).find(), scope));
}

}  // namespace ndnf
