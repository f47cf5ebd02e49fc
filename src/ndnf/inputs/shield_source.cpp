#include "ndnf/inputs/shield_source.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/logic/shield.h"

namespace ndnf {

std::string read_shield_file(const Input& input) {
  require_kind(input, {FileKind::kShield, FileKind::kAsp, FileKind::kProbLog}, "a shield");
  if (syntax_of(input.name) != Syntax::kAsp) {
    throw Error(input.name, "has the extension of ProbLog",
                "a shield is an ASP program without probabilities, in a .lp file");
  }
  return read_program_text(input);
}

std::optional<ActionMask> read_shield_option(const std::optional<Input>& input,
                                             const ObservationTable& table) {
  if (!input) return std::nullopt;
  return read_shield(input->name, read_shield_file(*input), table);
}

std::optional<ActionMask> shield_of(const std::string& where, const Checkpoint& checkpoint,
                                    const ObservationTable& table) {
  if (checkpoint.shield.empty()) return std::nullopt;
  return read_shield(where + ": shield", checkpoint.shield, table);
}

std::optional<ActionMask> allowed_actions(const std::string& policy, const FiniteModel& model,
                                          const std::optional<ActionMask>& own_shield,
                                          const std::optional<ActionMask>& shield) {
  std::vector<const ActionMask*> masks;
  for (const auto* mask : {&model.offered(), &own_shield, &shield}) {
    if (*mask) masks.push_back(&**mask);
  }
  if (masks.empty()) return std::nullopt;
  std::vector<std::uint64_t> allowed;
  for (ObsId obs = 0; obs < model.observations().size(); ++obs) {
    allowed.push_back(~std::uint64_t{0});
    for (const ActionMask* mask : masks) allowed.back() &= mask->bits(obs);
    if (allowed.back() != 0) continue;
    throw Error(policy, fmt::format("{} in {}",
                                    own_shield && shield ? "its own shield and the other leave no action"
                                                         : "the shield forbids every action that is offered",
                                    model.observations().describe(obs)));
  }
  return ActionMask(model.action_count(), std::move(allowed));
}

}  // namespace ndnf
