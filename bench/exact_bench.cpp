// Exact extraction of optimal policies: maximal boxes, witnesses and cover, clingo's answers included.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/backward_induction.h"
#include "ndnf/tasks/registry.h"

namespace {

void ExtractExactly(benchmark::State& state, const std::string& spec) {
  const ndnf::Task environment = ndnf::make_task(spec);
  const ndnf::FiniteModel& model = environment.model();
  const ndnf::BackwardInduction optimum = ndnf::induct_backward(model);
  const ndnf::Reach reach = ndnf::reachable(model);
  std::vector<std::uint64_t> optimal(model.observations().size());
  for (const ndnf::StateId s : reach.states) optimal[model.observation(s)] = optimum.actions[s];
  std::vector<std::uint64_t> allowed;
  for (const ndnf::ObsId obs : reach.observations) allowed.push_back(optimal[obs]);
  const ndnf::Scope scope(model.shared_observations(), reach.observations);
  ndnf::ExactProgram program;
  for (auto _ : state) program = ndnf::extract_exactly(scope, allowed);
  state.counters["rules"] = static_cast<double>(program.rules.size());
  state.counters["at_least"] = static_cast<double>(program.lower_bound);
}

// Real time: clingo runs in a separate process.
BENCHMARK_CAPTURE(ExtractExactly, long_corridor_11, "long-corridor-11")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(ExtractExactly, blackjack, "blackjack")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(ExtractExactly, taxi, "taxi")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(ExtractExactly, taxi_factored, "taxi:factored")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
