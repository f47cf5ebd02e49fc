#include "ndnf/extract/judge.h"

#include <algorithm>

#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {

Judge::Judge(const Subject& subject, const FiniteModel& model, const ExtractionOptions& options)
    : network_(subject.network),
      model_(model),
      as_(options.as),
      ties_(options.ties),
      selection_{as_ == Syntax::kAsp ? Selection::Kind::kArgmax : Selection::Kind::kSample, 0},
      reachable_(subject.reachable),
      visited_(visited(model, select(network_, selection_)).observations),
      scope_(model.shared_observations(), reachable_) {}

void Judge::judge(Attempt& attempt, double epsilon, const PolicyTable* truth_values) const {
  const BoundProgram bound(*attempt.program, model_.observations().shared_vocabulary());
  const PolicyTable rows = tabulate(bound, model_.observations());
  attempt.reachable = compare(rows, network_, reachable_);
  attempt.visited = compare(rows, network_, visited_);
  if (truth_values != nullptr) attempt.truth_values = compare(rows, *truth_values, reachable_);
  if (is_close(rows, network_, attempt.reachable, epsilon)) {
    attempt.faithful_to = FaithfulTo::kNetwork;
  } else if (truth_values != nullptr && is_close(rows, *truth_values, *attempt.truth_values, epsilon)) {
    attempt.faithful_to = FaithfulTo::kTruthValues;
  }
  const Evaluation evaluation = evaluate_exactly(model_, rows);
  if (evaluation.has_return()) attempt.mean_return = evaluation.expected_return();
  attempt.size = size_of(*attempt.program, scope_);
  if (as_ == Syntax::kProbLog) attempt.kl = mean_divergence(rows);
}

Expectation Judge::return_network() const {
  return evaluate_exactly(model_, select(network_, selection_)).expected_return();
}

Agreement Judge::compare(const PolicyTable& program, const PolicyTable& wanted,
                         const std::vector<ObsId>& where) const {
  Agreement agreement;
  agreement.observations = where.size();
  for (const ObsId obs : where) {
    agreement.exactly_one = agreement.exactly_one && program.defined(obs);
    const bool agrees =
        program.defined(obs) && (best_actions(wanted, obs, ties_) >> program.argmax(obs) & 1) != 0;
    if (!agrees) ++agreement.disagreements;
    const double difference = as_ == Syntax::kProbLog ? largest_difference(wanted.row(obs), program.row(obs))
                              : agrees                ? 0
                                                      : 1;
    agreement.max_dp = std::max(agreement.max_dp, difference);
  }
  return agreement;
}

bool Judge::is_close(const PolicyTable& program, const PolicyTable& wanted, const Agreement& agreement,
                     double epsilon) const {
  if (!agreement.exactly_one) return false;
  if (as_ == Syntax::kAsp) return agreement.disagreements == 0;
  return agreement.max_dp <= epsilon && keeps_impossible(program, wanted);
}

// The program never takes an action that the network never takes, as under a shield.
bool Judge::keeps_impossible(const PolicyTable& program, const PolicyTable& wanted) const {
  return std::all_of(reachable_.begin(), reachable_.end(), [&](ObsId obs) {
    for (ActionId a = 0; a < wanted.action_count(); ++a) {
      if (wanted.row(obs)[a] == 0 && program.row(obs)[a] > 0) return false;
    }
    return true;
  });
}

double Judge::mean_divergence(const PolicyTable& program) const {
  double sum = 0;
  for (const ObsId obs : reachable_) {
    sum += kl_divergence(network_.row(obs), program.row(obs), kLeastProbability);
  }
  return sum / static_cast<double>(reachable_.size());
}

}  // namespace ndnf
