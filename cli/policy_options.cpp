#include "cli/policy_options.h"

#include "cli/options.h"

namespace ndnf::cli {

void add_policy(CLI::App& app, const std::string& name, Input& target) {
  app.add_option(name, target,
                 "uniform, optimal, a run, a .safetensors file, a program (.lp, .pl) or a .json table of "
                 "probabilities")
      ->required()
      ->type_name(kPolicy);
}

void add_policies(CLI::App& app, std::vector<Input>& target) {
  app.add_option("POLICY", target,
                 "uniform, optimal, a run, a .safetensors file, a program (.lp, .pl) or a .json table of "
                 "probabilities; several, or a folder of runs seed-N, are compared in a table")
      ->required()
      ->type_name(kPolicy);
}

void add_environment(CLI::App& app, std::optional<Input>& target) {
  app.add_option("--env", target, "the environment or a model .json (default: the one the policy names)")
      ->type_name(kEnvironment);
}

void add_discount(CLI::App& app, std::optional<double>& target) {
  app.add_option("--discount", target,
                 "a reward after k steps counts X to the power of k (default: the task's own, 1 without one)")
      ->type_name("X");
}

void add_selection(CLI::App& app, std::optional<Selection>& target) {
  app.add_option_function<std::string>(
         "--select", [&target](const std::string& how) { target = Selection::parse("--select", how); },
         "how an action is picked: argmax, sample or epsilon:X (default: that of the run's preset, argmax "
         "for ASP, else sample)")
      ->type_name(kSelection);
}

}  // namespace ndnf::cli
