// What building a task, evaluating policies exactly, finding the optimum and extracting its rules cost: Taxi
// on a map of a given size. Prints one JSON object; tools/study-scaling measures others on the same inputs.
//
// Usage: scaling SIDE [FOLDER]
// FOLDER receives what others need: uniform.drn and optimal.drn (the chains of these policies), task.drn (the
// MDP), and observations.bin (per reachable observation the value of every group, then the first optimal
// action; 32 bits each).
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "ndnf/boxes/exact_rules.h"
#include "ndnf/export/drn.h"
#include "ndnf/export/task_drn.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/visited_chain.h"
#include "ndnf/optimum/backward_induction.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace {

namespace fs = std::filesystem;

/// Reading larger files takes Storm minutes.
constexpr std::size_t kMostForStorm = 200'000;

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The best of several runs: short ones are disturbed by everything else.
template <class Work>
double quickest(Work work) {
  double best = seconds(work);
  for (int again = 0; again < 4 && best < 0.2; ++again) best = std::min(best, seconds(work));
  return best;
}

/// The memory of this process, in bytes.
double resident() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The optimal actions of a task whose observations are its states.
struct Optimal {
  std::vector<ndnf::ObsId> observations;
  std::vector<std::uint64_t> actions;
};

Optimal optimal_of(const ndnf::FiniteModel& model) {
  const std::vector<ndnf::ActionSet> best = ndnf::induct_backward(model).actions;
  const ndnf::Reach reach = ndnf::reachable(model);
  Optimal optimal{reach.observations, std::vector<std::uint64_t>(reach.observations.size())};
  std::vector<std::uint64_t> by_observation(model.observations().size(), 0);
  for (const ndnf::StateId s : reach.states) by_observation[model.observation(s)] = best[s];
  for (std::size_t k = 0; k < optimal.observations.size(); ++k)
    optimal.actions[k] = by_observation[optimal.observations[k]];
  return optimal;
}

void write_inputs(const fs::path& folder, const ndnf::FiniteModel& model, const ndnf::PolicyTable& uniform,
                  const ndnf::PolicyTable& best, const Optimal& optimal) {
  if (model.state_count() <= kMostForStorm) {
    ndnf::write_file(folder / "uniform.drn", ndnf::to_drn(model, uniform));
    ndnf::write_file(folder / "optimal.drn", ndnf::to_drn(model, best));
    ndnf::write_file(folder / "task.drn", ndnf::task_to_drn(model));
  }
  std::string bytes;
  const auto append = [&](std::uint32_t value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (std::size_t k = 0; k < optimal.observations.size(); ++k) {
    for (const std::uint32_t value : model.observations().values(optimal.observations[k])) append(value);
    append(static_cast<std::uint32_t>(std::countr_zero(optimal.actions[k])));
  }
  ndnf::write_file(folder / "observations.bin", bytes);
}

void measure(std::size_t side, const std::optional<fs::path>& folder) {
  std::optional<ndnf::Task> taxi;
  const double before = resident();
  const double build =
      seconds([&] { taxi = ndnf::make_task(fmt::format("taxi:factored,rows={0},cols={0}", side)); });
  const double memory = resident() - before;
  const ndnf::FiniteModel& model = taxi->model();
  const ndnf::PolicyTable uniform = ndnf::uniform_policy(model.observations());
  std::optional<ndnf::Optimum> best;
  const double optimum = seconds([&] { best = ndnf::find_optimum(model); });
  const double dense = quickest([&] { ndnf::evaluate_exactly(model, uniform); });
  const ndnf::VisitedChain chain(ndnf::InducedChain(model, uniform));
  const double sweep = quickest([&] { chain.expected_visits(); });
  const double sparse = quickest([&] { ndnf::evaluate_exactly(model, best->policy); });
  const Optimal optimal = optimal_of(model);
  ndnf::ExactOptions greedy;
  greedy.search_limit = 0;
  std::size_t rules = 0;
  const double extract = quickest([&] {
    const ndnf::Scope scope(model.shared_observations(), optimal.observations);
    rules = ndnf::extract_exactly(scope, optimal.actions, greedy).rules.size();
  });
  if (folder) write_inputs(*folder, model, uniform, best->policy, optimal);
  fmt::print(
      "{{\"side\": {}, \"states\": {}, \"observations\": {}, \"horizon\": {}, \"build\": {}, \"memory\": {}, "
      "\"dense\": {}, "
      "\"sweep\": {}, "
      "\"sparse\": {}, \"optimum\": {}, \"extract\": {}, \"rules\": {}, \"value\": {}, \"uniform\": {}}}\n",
      side, model.state_count(), optimal.observations.size(), model.horizon(), build, memory, dense, sweep,
      sparse, optimum, extract, rules, best->evaluation.mean_return,
      ndnf::evaluate_exactly(model, uniform).mean_return);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t side = 0;
  if (argc > 1) std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), side);
  if (side < 2 || argc > 3) {
    fmt::print(stderr, "usage: scaling SIDE [FOLDER]\n");
    return 2;
  }
  measure(side, argc == 3 ? std::optional<fs::path>(argv[2]) : std::nullopt);
  return 0;
}
