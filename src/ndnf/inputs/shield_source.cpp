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

std::optional<ActionMask> intersection(const std::string& policy, const std::optional<ActionMask>& own,
                                       const std::optional<ActionMask>& other,
                                       const ObservationTable& table) {
  if (!own || !other) return own ? own : other;
  std::vector<std::uint64_t> allowed;
  for (ObsId obs = 0; obs < table.size(); ++obs) {
    allowed.push_back(own->bits(obs) & other->bits(obs));
    if (allowed.back() != 0) continue;
    throw Error(policy,
                fmt::format("its own shield and the other leave no action in {}", table.describe(obs)));
  }
  return ActionMask(own->action_count(), std::move(allowed));
}

}  // namespace ndnf
