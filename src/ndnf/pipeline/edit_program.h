#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/system/input.h"

namespace ndnf {

/// Which overriding rule to add to a program.
struct EditRequest {
  Input program;                   ///< An .lp or .pl file.
  std::string when;                ///< Literals over the environment's atoms, such as "a, not b".
  std::string action;              ///< What to do where they hold.
  std::optional<Input> env{};      ///< Default: the one that the program names.
  std::optional<Input> encoder{};  ///< The run whose predicates a_0, a_1, … the program uses.
  bool visited = false;  ///< The predicates must be equivalent only in the observations that are visited.
  std::string output{};  ///< Where to write the program. If empty, nothing is written.
};

struct ProgramEdit {
  std::string program;
  std::string env;
  std::string condition;         ///< As written in the program.
  bool predicates = false;       ///< It uses the encoder's predicates, not the environment's atoms.
  std::size_t observations = 0;  ///< The number of reachable observations in which it holds.
  std::string text;              ///< The edited program.
  std::string file;              ///< Empty if nothing was written.
};

/// Writes the edited program atomically. With an encoder, the condition is written in its predicates if some
/// conjunction of them holds in exactly the same observations, among the reachable ones or among those that
/// the program visits before the edit. Throws Error for a condition that never holds, and for mistakes in the
/// program before or after the edit.
ProgramEdit edit_program(const EditRequest& request);

nlohmann::ordered_json to_json(const ProgramEdit& result);

}  // namespace ndnf
