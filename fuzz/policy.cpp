#include "harness.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/tasks/registry.h"

void ndnf::fuzz::try_input(std::string_view input) {
  static const Task environment = make_task("small-corridor");
  const PolicyTable policy = load_policy({"policy.json", std::string(input)}, environment);
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    for (const double p : policy.row(obs)) require(p >= 0 && p <= 1, "a probability is out of range");
  }
}
