// Plays random actions in a simulated task and writes every step in binary, for classic_control_test.py.
// Usage: write_steps TASK STEPS FILE
// A step is, as doubles: the numbers of the state before, the action, the numbers of the state after, the
// reward, whether it terminated, and the observation. States after the end of an episode are not kept: there
// the numbers of the state after are NaN.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "ndnf/base/random.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"

namespace {

/// The state of the only walker: a snapshot is the seed, the state, and two counters.
std::vector<double> state_of(const ndnf::VectorEnv& env) {
  const std::vector<std::uint64_t> words = env.snapshot().value();
  std::vector<double> numbers;
  for (std::size_t k = 1; k + 2 < words.size(); ++k) numbers.push_back(std::bit_cast<double>(words[k]));
  return numbers;
}

std::string play(const std::string& name, std::size_t steps) {
  const ndnf::Task task = ndnf::make_task(name);
  const auto env = task.environments(1, 0);
  env->reset(1);
  ndnf::RandomSequence random(ndnf::RandomStream(1, 2), 0);
  std::vector<double> all;
  std::vector<ndnf::ActionId> action{0};
  for (std::size_t t = 0; t < steps; ++t) {
    const std::vector<double> before = state_of(*env);
    // An action is kept for a while: then episodes come to more places.
    if (t % 8 == 0) action[0] = random.below(static_cast<std::uint32_t>(task.vocabulary->action_count()));
    const ndnf::VectorStep step = env->step(action);
    const bool ended = step.terminated[0] != 0 || step.truncated[0] != 0;
    const std::vector<double> after = ended ? std::vector<double>(before.size(), NAN) : state_of(*env);
    all.insert(all.end(), before.begin(), before.end());
    all.push_back(static_cast<double>(action[0]));
    all.insert(all.end(), after.begin(), after.end());
    all.push_back(step.rewards[0]);
    all.push_back(static_cast<double>(step.terminated[0]));
    for (const float number : env->observations().dense(step.arrived[0])) all.push_back(number);
  }
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(double)};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw ndnf::Error("", "usage: write_steps TASK STEPS FILE");
    ndnf::write_file(argv[3], play(argv[1], std::stoul(argv[2])));
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_steps: {}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
