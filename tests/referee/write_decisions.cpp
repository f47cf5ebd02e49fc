// Decides in many observations of a task with quantities, on thresholds, beside them and anywhere, and writes
// the observations and decisions for others to compare. With a solver, it asks that, too. Usage:
// write_decisions PROGRAM COUNT SEED FILE [clingo|problog|NETWORK.safetensors] Writes FILE.numbers (float32,
// one row per observation) and FILE.rows (float64) and prints
// {"numbers", "actions", "differences", "decisions"}.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/solvers/real_solvers.h"

namespace ndnf {
namespace {

constexpr std::size_t kBatch = 50000;

/// The places that the program compares a quantity with, as far as one quantity is concerned.
std::vector<std::int64_t> thresholds(const BoundProgram& bound, std::uint32_t quantity) {
  std::vector<std::int64_t> places;
  for (const LinearComparison& comparison : bound.comparisons()) {
    if (comparison.terms.size() == 1 && comparison.terms[0].quantity == quantity)
      places.push_back(comparison.bound);
  }
  return places;
}

float drawn_number(const Quantity& quantity, const std::vector<std::int64_t>& places, std::mt19937& random) {
  const Grid& grid = *quantity.grid;
  std::uniform_int_distribution<std::int64_t> anywhere(grid.lowest - 2, grid.highest + 2);
  std::int64_t place = anywhere(random);
  if (!places.empty() && random() % 2 == 0)
    place = places[random() % places.size()] + static_cast<int>(random() % 3) - 1;
  auto x = static_cast<float>(static_cast<double>(place) * grid.quantum);
  switch (random() % 4) {
    case 0:
      return std::nextafter(x, 1e30F);
    case 1:
      return std::nextafter(x, -1e30F);
    case 2:
      return x + static_cast<float>(grid.quantum) * static_cast<float>(random() % 1000) / 1000.0F;
    default:
      return x;
  }
}

template <class T>
void append(std::ofstream& file, std::span<const T> values) {
  file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

/// In how many observations the best action of a network is not the program's.
std::size_t other_actions(const Policy& network, const BoundProgram& bound, const ObservationTable& table) {
  const PolicyTable program = tabulate(bound, table);
  const PolicyTable actions = tabulate(network, table);
  std::size_t differences = 0;
  for (ObsId obs = 0; obs < table.size(); ++obs)
    differences += program.defined(obs) && program.argmax(obs) != actions.argmax(obs) ? 1 : 0;
  return differences;
}

/// One batch: appends it to the files and returns the number of rows in which the solver differs.
std::size_t write_batch(const PolicySource& source, const Task& task, const BoundProgram& bound,
                        const std::string& solver, std::size_t count, std::mt19937& random,
                        std::ofstream& numbers, std::ofstream& rows, std::vector<std::size_t>& decisions) {
  auto table = ObservationTable::buffer(task.vocabulary, task.vocabulary->quantities().size(), count);
  std::vector<ObsId> ids(count);
  for (ObsId i = 0; i < count; ++i) {
    std::vector<float> drawn;
    for (std::uint32_t q = 0; q < task.vocabulary->quantities().size(); ++q) {
      drawn.push_back(drawn_number(task.vocabulary->quantities()[q], thresholds(bound, q), random));
    }
    table.overwrite(i, std::vector<std::uint32_t>(task.vocabulary->group_count(), 0), drawn);
    append(numbers, std::span<const float>(drawn));
    ids[i] = i;
  }
  std::vector<double> own(count * bound.action_count());
  bound.probabilities(table, ids, own);
  append(rows, std::span<const double>(own));
  for (std::size_t i = 0; i < own.size(); ++i) decisions[i % bound.action_count()] += own[i] > 0 ? 1 : 0;
  if (solver.empty()) return 0;
  if (solver.ends_with(".safetensors"))
    return other_actions(*PolicySource::network(Input{solver}).policy(task), bound, table);
  std::vector<double> real(own.size());
  SolverPolicy(source.for_solver_in_batches(), bound.action_count(), SolverLimits{std::chrono::hours(2)})
      .probabilities(table, ids, real);
  std::size_t differences = 0;
  for (std::size_t i = 0; i < own.size(); ++i) differences += std::abs(own[i] - real[i]) > 1e-12 ? 1 : 0;
  return differences;
}

int run(int count, char** arguments) {
  if (count < 5)
    throw Error("", "usage: write_decisions PROGRAM COUNT SEED FILE [clingo|problog|NETWORK.safetensors]");
  const PolicySource source = PolicySource::rules(Input{arguments[1]});
  const Task task = task_for(std::nullopt, {&source});
  const BoundProgram bound(source.program(task, *task.vocabulary), task.vocabulary);
  std::mt19937 random(static_cast<std::uint32_t>(std::atoi(arguments[3])));
  const std::string file = arguments[4];
  std::ofstream numbers(file + ".numbers", std::ios::binary);
  std::ofstream rows(file + ".rows", std::ios::binary);
  std::size_t differences = 0;
  std::vector<std::size_t> decisions(bound.action_count(), 0);
  for (std::size_t left = std::strtoull(arguments[2], nullptr, 10); left > 0;) {
    const std::size_t batch = std::min(left, kBatch);
    differences += write_batch(source, task, bound, count > 5 ? arguments[5] : "", batch, random, numbers,
                               rows, decisions);
    left -= batch;
  }
  const nlohmann::json said{{"numbers", task.vocabulary->quantities().size()},
                            {"actions", bound.action_count()},
                            {"differences", differences},
                            {"decisions", decisions}};
  std::puts(said.dump().c_str());
  return 0;
}

}  // namespace
}  // namespace ndnf

int main(int count, char** arguments) {
  try {
    return ndnf::run(count, arguments);
  } catch (const ndnf::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
