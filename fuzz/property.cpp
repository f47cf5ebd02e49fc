#include "ndnf/properties/property.h"

#include "harness.h"
#include "ndnf/tasks/registry.h"

void ndnf::fuzz::try_input(std::string_view input) {
  static const Task environment = make_task("small-corridor");
  const Property property = parse_property("p", input, environment.model());
  const Property again = parse_property("again", property.text, environment.model());
  require(again.bound == property.bound && again.comparison == property.comparison,
          "its text is another property");
}
