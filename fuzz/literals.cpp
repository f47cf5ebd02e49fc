// The arguments of --when and `explain`: literals over the atoms of a task.

#include "harness.h"
#include "ndnf/base/error.h"
#include "ndnf/properties/property.h"
#include "ndnf/tasks/registry.h"

void ndnf::fuzz::try_input(std::string_view input) {
  static const Task environment = make_task("small-corridor");
  const StateFormula formula = parse_observation("--when", input, *environment.vocabulary);
  const ObservationTable& table = environment.model().observations();
  for (ObsId obs = 0; obs < table.size(); ++obs) holds(formula, table, obs);
}
