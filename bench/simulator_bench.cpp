// Simulation and evaluation, on one core. `steps` counts steps of episodes in the result; `ns_per_step` is
// the whole cost: random numbers, the policy's choice, the table lookup, the step limit, new episodes and the
// statistics.
#include <string>

#include <benchmark/benchmark.h>

#include "ndnf/optimum/optimum.h"
#include "ndnf/simulation/evaluate_by_sampling.h"
#include "ndnf/tasks/registry.h"

namespace {

using ndnf::PolicyTable;
using ndnf::Task;

void sample_episodes(benchmark::State& state, const Task& environment, const PolicyTable& policy) {
  constexpr std::size_t kEpisodes = 1 << 18;
  double steps = 0;
  std::uint64_t seed = 0;
  for (auto _ : state) {
    const ndnf::Evaluation result =
        ndnf::evaluate_by_sampling(environment.model(), policy, {kEpisodes, seed++, 1, nullptr});
    steps += result.length * kEpisodes;
  }
  state.counters["steps_per_second"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
}

void SampleUniform(benchmark::State& state, const std::string& spec) {
  const Task environment = ndnf::make_task(spec);
  sample_episodes(state, environment, ndnf::uniform_policy(environment.model().observations()));
}

void SampleOptimal(benchmark::State& state, const std::string& spec) {
  const Task environment = ndnf::make_task(spec);
  sample_episodes(state, environment, ndnf::find_optimum(environment.model()).policy);
}

void EvaluateExactly(benchmark::State& state, const std::string& spec) {
  const Task environment = ndnf::make_task(spec);
  const PolicyTable policy = ndnf::uniform_policy(environment.model().observations());
  for (auto _ : state) benchmark::DoNotOptimize(ndnf::evaluate_exactly(environment.model(), policy));
}

void FindOptimum(benchmark::State& state, const std::string& spec) {
  const Task environment = ndnf::make_task(spec);
  for (auto _ : state) benchmark::DoNotOptimize(ndnf::find_optimum(environment.model()));
}

BENCHMARK_CAPTURE(SampleUniform, blackjack, "blackjack")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SampleOptimal, blackjack, "blackjack")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SampleUniform, taxi, "taxi")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SampleOptimal, taxi, "taxi")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SampleUniform, small_corridor_wall, "small-corridor:wall")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SampleUniform, door_corridor, "door-corridor")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(EvaluateExactly, small_corridor, "small-corridor")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(EvaluateExactly, blackjack, "blackjack")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(EvaluateExactly, taxi, "taxi")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(EvaluateExactly, door_corridor, "door-corridor")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(FindOptimum, small_corridor_wall, "small-corridor:wall")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(FindOptimum, long_corridor_11_wall, "long-corridor-11:wall")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(FindOptimum, blackjack, "blackjack")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(FindOptimum, taxi, "taxi")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(FindOptimum, door_corridor, "door-corridor")->Unit(benchmark::kMicrosecond);

}  // namespace
