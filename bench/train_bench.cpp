// Training, on one core. One benchmark iteration is one training iteration: collecting samples and all
// updates. `updates_per_second` counts minibatches, `steps_per_second` environment steps. `fastest_update` is
// the CPU time per minibatch in the fastest iteration, which neighbours on the same machine disturb least.
// `of_peak` is the time that the arithmetic of the updates alone would take, as a fraction of the measured
// time: floating-point operations as counted below, at the rate of a matrix product in the L1 cache, measured
// in the same run.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "ndnf/nn/kernels/kernels.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/learner.h"
#include "ndnf/training/train_config.h"

namespace {

/// Operations per second of a matrix product within the L1 cache, the best of many short runs.
double measure_peak() {
  constexpr std::size_t kSide = 48;  // 3 matrices of 9 kB, and whole tiles
  constexpr int kRounds = 200;
  const std::vector<float> a(kSide * kSide, 0.5f);
  std::vector<float> c(kSide * kSide);
  double best = 0;
  for (int attempt = 0; attempt < 50; ++attempt) {
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < kRounds; ++round) {
      ndnf::kernels<float>().product(kSide, kSide, kSide, {a.data(), kSide, 1}, a.data(), a.data(), 0,
                                     c.data());
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    benchmark::DoNotOptimize(c.data());
    best = std::max(best, 2.0 * kSide * kSide * kSide * kRounds / time.count());
  }
  return best;
}

double peak() {
  static const double measured = measure_peak();
  return measured;
}

/// The mean number of distinct observations in a minibatch under random actions.
double distinct_observations(const ndnf::Task& task, const ndnf::PpoOptions& ppo) {
  const auto env = task.environments(static_cast<std::size_t>(ppo.num_envs), 0);
  const std::size_t actions = task.vocabulary->action_count();
  std::mt19937 random(1);
  const auto first = env->reset(1);
  std::vector<ndnf::ObsId> seen(first.begin(), first.end());
  std::vector<ndnf::ActionId> chosen(env->size());
  while (seen.size() < 64 * env->size()) {
    for (ndnf::ActionId& action : chosen) action = static_cast<ndnf::ActionId>(random() % actions);
    const auto next = env->step(chosen).observations;
    seen.insert(seen.end(), next.begin(), next.end());
  }
  const auto size = static_cast<std::size_t>(ppo.num_envs * ppo.num_steps / ppo.num_minibatches);
  constexpr int kMinibatches = 100;
  double total = 0;
  for (int m = 0; m < kMinibatches; ++m) {
    std::set<ndnf::ObsId> distinct;
    for (std::size_t j = 0; j < size; ++j) distinct.insert(seen[random() % seen.size()]);
    total += static_cast<double>(distinct.size());
  }
  return total / kMinibatches;
}

/// Operations of one update on this many distinct observations. A layer of I inputs and O outputs takes 2 I O
/// for its outputs, and for the gradients of its weights and inputs, each per observation; a layer that reads
/// atoms takes 2 O per true atom for the first two, and a sum over all weights for each. In addition: 25 per
/// tanh, 8 per weight with a logical bias and 16 per parameter for Adam and the norm. Losses are left out.
double update_operations(const ndnf::TensorFile& state, const ndnf::ObservationTable& table, double rows) {
  double operations = 0;
  const bool images = state.tensors.contains("parameter.image_encoder.0.weight");
  const auto atoms = static_cast<double>(table.vocabulary().atom_count());
  for (const auto& [name, tensor] : state.tensors) {
    if (!name.starts_with("parameter.")) continue;
    const auto inputs = static_cast<double>(tensor.shape[0]);
    const auto outputs = static_cast<double>(tensor.shape[1]);
    operations += 16 * inputs * outputs;
    if (name.ends_with("bias")) continue;
    const bool convolution = name == "parameter.image_encoder.0.weight";
    const double sites = convolution ? rows * static_cast<double>(table.dense_size()) / inputs : rows;
    if (name.ends_with("weights")) operations += 8 * inputs * outputs;
    if (outputs > 8 || convolution) operations += 25 * sites * outputs;
    if (!images && inputs == atoms) {
      operations += 4 * rows * static_cast<double>(table.vocabulary().group_count()) * outputs;
      operations += 2 * inputs * outputs;
    } else {
      operations += (convolution ? 4 : 6) * sites * inputs * outputs;
    }
  }
  return operations;
}

void train(benchmark::State& state, const ndnf::TrainConfig& config) {
  const ndnf::Task task = ndnf::make_task(config.run.env);
  const auto begin = [&] { return ndnf::make_learner(config, {task}).trainer; };
  auto trainer = begin();
  std::chrono::duration<double> time{0};
  double fastest = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    if (trainer->done()) {
      state.PauseTiming();
      trainer = begin();
      state.ResumeTiming();
    }
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t begun = std::clock();
    trainer->iterate();
    time += std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC);
  }
  const auto iterations = static_cast<double>(state.iterations());
  const double steps = iterations * static_cast<double>(config.ppo.num_envs * config.ppo.num_steps);
  const auto own_updates = static_cast<double>(config.ppo.update_epochs * config.ppo.num_minibatches);
  const double updates = iterations * own_updates;
  const double rows = distinct_observations(task, config.ppo);
  const double operations = update_operations(trainer->state(), task.model().observations(), rows);
  const auto rate = benchmark::Counter::kIsRate;
  state.counters["steps_per_second"] = benchmark::Counter(steps, rate);
  state.counters["updates_per_second"] = benchmark::Counter(updates, rate);
  state.counters["fastest_update"] = fastest / own_updates;
  state.counters["operations_per_update"] = operations;
  state.counters["of_peak"] = updates * operations / peak() / time.count();
}

void TrainPreset(benchmark::State& state, const std::string& preset) {
  train(state, ndnf::load_train_config(preset));
}

/// Updates alone: enough of them to make the collection of samples negligible.
void UpdatePreset(benchmark::State& state, const std::string& preset) {
  ndnf::TrainConfig config = ndnf::load_train_config(preset);
  config.ppo.update_epochs = 64;
  train(state, config);
}

BENCHMARK_CAPTURE(UpdatePreset, blackjack, "paper/blackjack-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(UpdatePreset, blackjack_mlp, "paper/blackjack-mlp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, small_corridor, "paper/small-corridor-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, long_corridor_11_wall, "paper/long-corridor-11-wall-ndnf-mt")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, blackjack, "paper/blackjack-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, blackjack_mlp, "paper/blackjack-mlp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, door_corridor, "paper/door-corridor-ndnf-mt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(TrainPreset, taxi_mlp, "paper/taxi-mlp")->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
