#include "ndnf/extract/frontier.h"

#include <algorithm>
#include <utility>

#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/distributions/refit.h"
#include "ndnf/mdp/evaluate.h"

namespace ndnf {
namespace {

constexpr double kFrontier[] = {0.05, 0.03, 0.01, 0.001};

/// The refit's rows for the view. Rows outside the scope stay the network's, since they are never reached.
PolicyTable table_of(const Refit& fit, const Scope& scope, const PolicyTable& policy) {
  const Matrix<double> p = probabilities(fit, scope);
  std::vector<double> rows;
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    rows.insert(rows.end(), policy.row(obs).begin(), policy.row(obs).end());
  }
  for (std::size_t k = 0; k < scope.size(); ++k) {
    std::copy_n(p.row(k), p.cols(),
                rows.begin() + static_cast<std::ptrdiff_t>(scope.observations()[k] * p.cols()));
  }
  return PolicyTable(p.cols(), std::move(rows));
}

FrontierPoint point(double epsilon, const Refit& fit, const Subject& subject, const FiniteModel& model,
                    const Scope& scope, const Target& target) {
  FrontierPoint point;
  point.epsilon = epsilon;
  point.conjunctions = fit.boxes.size();
  for (const Box& box : fit.boxes) point.literals += literals(box, scope).size();
  point.max_dp = fit.max_dp;
  point.kl = fit.mean_kl;
  const PolicyTable rows = table_of(fit, scope, subject.policy);
  point.mean_return = evaluate_exactly(model, on_environment(subject.view, rows)).mean_return;
  const DistributionClasses classes = distribution_classes(scope, target.p, epsilon);
  point.annotated_disjunctions = classes.annotated_disjunctions();
  for (const DistributionClass& own : classes.classes) point.class_conjunctions += own.boxes.size();
  return point;
}

FrontierPoint best_action(const Subject& subject, const FiniteModel& model, const Scope& scope,
                          const ExactProgram& exact) {
  FrontierPoint point;
  point.conjunctions = point.class_conjunctions = exact.rules.size();
  for (const ExactRule& rule : exact.rules) point.literals += literals(rule.box, scope).size();
  const Selection argmax{Selection::Kind::kArgmax, 0};
  const PolicyTable rows = on_environment(subject.view, subject.policy);
  point.mean_return = evaluate_exactly(model, select(rows, argmax)).mean_return;
  return point;
}

}  // namespace

std::vector<FrontierPoint> frontier(const Subject& subject, const FiniteModel& model, Syntax as,
                                    const Scope& scope, const Target& target, const ExactProgram& exact,
                                    std::vector<Box> own_boxes) {
  std::vector<FrontierPoint> points;
  if (as == Syntax::kProbLog) {
    RefitOptions options;
    options.candidates = std::move(own_boxes);
    const std::vector<Refit> fits = refit_frontier(scope, target.p, kFrontier, options);
    for (std::size_t k = 0; k < fits.size(); ++k) {
      points.push_back(point(kFrontier[k], fits[k], subject, model, scope, target));
    }
  }
  points.push_back(best_action(subject, model, scope, exact));
  return points;
}

}  // namespace ndnf
