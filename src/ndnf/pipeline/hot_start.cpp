#include "ndnf/pipeline/hot_start.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "ndnf/train/distill.h"

namespace ndnf {
namespace {

constexpr const char* kConjunctions = "actor.conjunctions.weights";
constexpr const char* kDisjunctions = "actor.disjunctions.weights";

/// The target with every probability raised to at least `least` and rows normalised again: an action of
/// probability 0 would need an infinite logit.
PolicyTable at_least(const PolicyTable& target, double least) {
  std::vector<double> rows;
  for (ObsId obs = 0; obs < target.size(); ++obs) {
    double sum = 0;
    for (const double p : target.row(obs)) sum += std::max(p, least);
    for (const double p : target.row(obs)) rows.push_back(sum > 0 ? std::max(p, least) / sum : 0);
  }
  return PolicyTable(target.action_count(), std::move(rows));
}

}  // namespace

// Full-batch distillation from the table, with the conjunctive layer locked. What remains is a softmax
// regression on fixed features, with the logical bias of Eq. (1) at delta = 1. The cost is 3000 passes over
// the observations.
NeuralDnf<double> fitted(NeuralDnf<double> actor, const Scope& scope, const PolicyTable& target,
                         double least) {
  std::vector<ObsId> observations;
  for (const ObsId obs : scope.observations()) {
    if (target.defined(obs)) observations.push_back(obs);
  }
  DistillOptions options;
  options.batch_size = static_cast<std::int64_t>(observations.size());
  options.epochs = 3000;
  options.learning_rate = 0.02;
  DeltaOptions delta;
  delta.initial = 1;
  std::vector<std::uint32_t> all(actor.conjunctions.size());
  std::iota(all.begin(), all.end(), 0u);
  ActorCritic<double> student;
  student.actor = std::move(actor);
  DistillTrainer<double> trainer(scope.table(), std::move(observations), at_least(target, least),
                                 std::move(student), options, {}, delta, {}, 0,
                                 Constraints{{{kConjunctions, std::move(all)}}});
  while (!trainer.done()) trainer.iterate();
  return std::get<NeuralDnf<double>>(trainer.network().actor);
}

LockedWeights locks(const NeuralDnf<double>& actor, const std::set<std::size_t>& conjunctions) {
  LockedWeights locked;
  for (const std::size_t q : conjunctions) {
    for (std::size_t i = 0; i < actor.conjunctions.rows(); ++i) {
      locked[kConjunctions].push_back(static_cast<std::uint32_t>(i * actor.conjunctions.cols() + q));
    }
    for (std::size_t a = 0; a < actor.disjunctions.cols(); ++a) {
      locked[kDisjunctions].push_back(static_cast<std::uint32_t>(q * actor.disjunctions.cols() + a));
    }
  }
  return locked;
}

}  // namespace ndnf
