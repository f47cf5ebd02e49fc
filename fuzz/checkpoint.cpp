#include "ndnf/model/checkpoint.h"

#include "harness.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/tensor_file.h"
#include "ndnf/tasks/registry.h"

void ndnf::fuzz::try_input(std::string_view input) {
  static const Task environment = make_task("small-corridor");
  // With a new checksum: otherwise almost every input would be rejected by the old one.
  const Checkpoint checkpoint = parse_checkpoint("c", to_checked_safetensors(parse_safetensors("c", input)));
  const std::string bytes = to_bytes(checkpoint);
  require(to_bytes(parse_checkpoint("c", bytes)) == bytes, "the written checkpoint is another");
  check_fits("c", checkpoint, environment.model().observations());
  tabulate(*policy_of(checkpoint), environment.model().observations());
}
