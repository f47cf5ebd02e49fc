#include "ndnf/rules/rules_options.h"

namespace ndnf {

ConfigTable<RulesOptions> rules_config() {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  using O = RulesOptions;
  return ConfigTable<O>()
      .integer(
          "total_timesteps", &O::total_timesteps, 1, kMost,
          "Environment steps of teacher, distillation, search and selection; the episodes of the reported "
          "figures come on top.")
      .text(
          "teacher", &O::teacher,
          "A policy to learn from: a run, a .safetensors, .lp or .pl file, or `optimal`; empty: an MLP that "
          "is trained by PPO first.")
      .integer("teacher_attempts", &O::teacher_attempts, 1, 100,
               "How often the steps of the teacher may double, the first ones included, while that helps.")
      .integer("max_rules", &O::max_rules, 1, 1000, "The largest number of rules, without the default.")
      .integer("max_literals", &O::max_literals, 1, 1000, "The largest number of literals in all rules.")
      .flag("linear", &O::linear, "Whether literals may be about sums of two or three numbers.")
      .integer("rounds", &O::rounds, 1, 1000,
               "Rounds of distillation: the teacher comments on what the lists of the last round visit.")
      .integer("states", &O::states, 256, 1'000'000, "Visited states that lists are distilled on.")
      .integer("islands", &O::islands, 1, 64, "Searches that go on apart at first.")
      .integer("episodes", &O::episodes, 10, 1'000'000, "Episodes of the reported figures.");
}

}  // namespace ndnf
