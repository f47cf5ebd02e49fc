// Extraction of a stochastic policy, one core: a random smooth policy on Blackjack's 280 observations, as
// classes of distributions. `size` counts boxes.
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "ndnf/base/random.h"
#include "ndnf/boxes/box.h"
#include "ndnf/distributions/distribution_classes.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/tasks/registry.h"

namespace {

struct ClassTask {
  ndnf::Scope scope;
  ndnf::Matrix<double> p;
};

/// Logits that are sums over 40 random boxes: `size` shows how many boxes greedy growth needs instead.
ClassTask random_task() {
  const ndnf::Task environment = ndnf::make_task("blackjack");
  ClassTask task{
      {environment.model().shared_observations(), ndnf::reachable(environment.model()).observations}, {}};
  ndnf::RandomSequence random(ndnf::RandomStream(1, 0));
  std::vector<double> logits(task.scope.size());
  for (int k = 0; k < 40; ++k) {
    ndnf::Box box = ndnf::everything(task.scope);
    for (ndnf::ValueSet& set : box.groups) {
      for (const std::uint32_t value : set.values()) {
        if (random.below(3) == 0) set.erase(value);
      }
    }
    const double weight = random.normal();
    for (const std::uint32_t i : ndnf::members(box, task.scope).values()) logits[i] += weight;
  }
  task.p = ndnf::Matrix<double>(logits.size(), 2);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    task.p(i, 1) = 1 / (1 + std::exp(-logits[i]));
    task.p(i, 0) = 1 - task.p(i, 1);
  }
  return task;
}

void DistributionClasses(benchmark::State& state, double epsilon) {
  const ClassTask task = random_task();
  ndnf::DistributionClasses result;
  for (auto _ : state) result = ndnf::distribution_classes(task.scope, task.p, epsilon);
  std::size_t size = 0;
  for (const ndnf::DistributionClass& one : result.classes) size += one.dnf.size();
  state.counters["classes"] = static_cast<double>(result.classes.size());
  state.counters["size"] = static_cast<double>(size);
}

BENCHMARK_CAPTURE(DistributionClasses, epsilon_1e_2, 0.01)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(DistributionClasses, epsilon_1e_3, 0.001)->Unit(benchmark::kMillisecond);

}  // namespace
