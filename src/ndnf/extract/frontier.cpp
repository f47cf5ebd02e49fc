#include "ndnf/extract/frontier.h"

#include <algorithm>
#include <utility>

#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/mdp/evaluate.h"

namespace ndnf {
namespace {

constexpr double kFrontier[] = {0.05, 0.03, 0.01, 0.001};

/// The classes' rows for the view; rows out of scope stay the network's, since they are never reached.
PolicyTable table_of(const DistributionClasses& classes, const Scope& scope, const PolicyTable& policy) {
  const std::size_t actions = policy.action_count();
  std::vector<double> rows;
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    rows.insert(rows.end(), policy.row(obs).begin(), policy.row(obs).end());
  }
  for (std::size_t k = 0; k < scope.size(); ++k) {
    const std::vector<double>& own = classes.classes[classes.class_of[k]].distribution;
    std::copy(own.begin(), own.end(),
              rows.begin() + static_cast<std::ptrdiff_t>(scope.observations()[k] * actions));
  }
  return PolicyTable(actions, std::move(rows));
}

FrontierPoint point(double epsilon, const Subject& subject, const FiniteModel& model, const Scope& scope,
                    const Target& target) {
  const DistributionClasses classes = distribution_classes(scope, target.p, epsilon);
  FrontierPoint point;
  point.epsilon = epsilon;
  point.annotated_disjunctions = classes.annotated_disjunctions();
  for (const DistributionClass& own : classes.classes) {
    point.conjunctions += own.dnf.size();
    for (const Conjunction& conjunction : own.dnf) point.literals += conjunction.size();
  }
  point.max_dp = classes.max_dp;
  point.kl = classes.mean_kl;
  const PolicyTable rows = table_of(classes, scope, subject.policy);
  point.mean_return = evaluate_exactly(model, on_environment(subject.view, rows)).expected_return().value;
  return point;
}

FrontierPoint best_action(const Subject& subject, const FiniteModel& model, const ExactProgram& exact) {
  FrontierPoint point;
  point.conjunctions = exact.rules.size();
  for (const ActionRule& rule : exact.rules) point.literals += rule.body.size();
  const Selection argmax{Selection::Kind::kArgmax, 0};
  const PolicyTable rows = on_environment(subject.view, subject.policy);
  point.mean_return = evaluate_exactly(model, select(rows, argmax)).expected_return().value;
  return point;
}

}  // namespace

std::vector<FrontierPoint> frontier(const Subject& subject, const FiniteModel& model, Syntax as,
                                    const Scope& scope, const Target& target, const ExactProgram& exact) {
  std::vector<FrontierPoint> points;
  if (as == Syntax::kProbLog) {
    for (const double epsilon : kFrontier) points.push_back(point(epsilon, subject, model, scope, target));
  }
  points.push_back(best_action(subject, model, exact));
  return points;
}

}  // namespace ndnf
