#include "ndnf/pipeline/program_inputs.h"

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/pipeline/policy_source.h"

namespace ndnf {

Encoder<float> encoder_of(const std::string& run, const ObservationTable& table) {
  const Checkpoint checkpoint = read_checkpoint(checkpoint_file(run));
  check_fits(run, checkpoint, table);
  const auto* trained = std::get_if<ActorCritic<float>>(&checkpoint.policy);
  if (trained == nullptr || !trained->encoder) {
    throw Error(argument("encoder"), fmt::format("{} has no encoder", run), "leave it out");
  }
  return *trained->encoder;
}

Program read_program_for(const ActorView& view, const ObservationTable& environment,
                         const std::string& file) {
  return program_for(view, environment, read_program(file, view.table->vocabulary()));
}

Program program_for(const ActorView& view, const ObservationTable& environment, Program program) {
  if (!view.invented(environment)) return program;
  std::erase_if(program.statements, [&](const Statement& statement) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    return rule != nullptr && view.table->vocabulary().find_atom(rule->heads.front().atom).has_value();
  });
  return program;
}

}  // namespace ndnf
