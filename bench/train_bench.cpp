// Training, one core. One benchmark iteration is one training iteration: collecting samples and all updates.
// `updates_per_second` counts minibatches, `steps_per_second` environment steps.
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include "ndnf/env/registry.h"
#include "ndnf/pipeline/learner.h"
#include "ndnf/pipeline/train_config.h"

namespace {

void TrainPreset(benchmark::State& state, const std::string& preset) {
  ndnf::TrainConfig config = ndnf::load_train_config(preset);
  const ndnf::Environment environment = ndnf::make_environment(config.run.env);
  const ndnf::TransitionSampler sampler(environment.model);
  const auto begin = [&] { return ndnf::make_learner(config, {environment, sampler, nullptr}).trainer; };
  auto trainer = begin();
  for (auto _ : state) {
    if (trainer->done()) {
      state.PauseTiming();
      trainer = begin();
      state.ResumeTiming();
    }
    trainer->iterate();
  }
  const auto iterations = static_cast<double>(state.iterations());
  const double steps = iterations * static_cast<double>(config.ppo.num_envs * config.ppo.num_steps);
  const double updates =
      iterations * static_cast<double>(config.ppo.update_epochs * config.ppo.num_minibatches);
  state.counters["steps_per_second"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["updates_per_second"] = benchmark::Counter(updates, benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(TrainPreset, small_corridor, "paper/small-corridor-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, long_corridor_11_wall, "paper/long-corridor-11-wall-ndnf-mt")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, blackjack, "paper/blackjack-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, blackjack_mlp, "paper/blackjack-mlp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, door_corridor, "paper/door-corridor-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, taxi_mlp, "paper/taxi-mlp")->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
