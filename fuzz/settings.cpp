// The arguments of --set and the settings of an environment.

#include "harness.h"
#include "ndnf/base/config.h"
#include "ndnf/tasks/registry.h"

void ndnf::fuzz::try_input(std::string_view input) {
  if (input.starts_with("small-corridor:")) make_task(input);
  parse_assignments("--set", input);
  parse_assignment("--set", input);
}
