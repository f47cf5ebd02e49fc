#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace ndnf {

/// Give a program a rule that goes before all others.
struct EditRequest {
  std::string program;                 ///< An .lp or .pl file.
  std::string when;                    ///< Literals over the environment's atoms, such as "a, not b".
  std::string action;                  ///< What to do where they hold.
  std::optional<std::string> env;      ///< Otherwise what the program names.
  std::optional<std::string> encoder;  ///< The run whose predicates a_0, a_1, … the program uses.
  bool visited = false;  ///< The predicates must be right where the program comes, not anywhere.
  std::string output;
};

struct ProgramEdit {
  std::string program;
  std::string env;
  std::string condition;         ///< As it stands in the program.
  bool predicates = false;       ///< It speaks of the encoder's predicates, not of the environment's atoms.
  std::size_t observations = 0;  ///< Reachable ones in which it holds.
  std::string file;
};

/// Writes the edited program, whole or not at all. With an encoder, the condition is written in its
/// predicates if one conjunction of them holds in just the same observations: of those reachable, or of those
/// that the program visits before the edit. Throws Error for a condition that never holds, and for what is
/// wrong with the program before or after the edit.
ProgramEdit edit_program(const EditRequest& request);

nlohmann::ordered_json to_json(const ProgramEdit& result);

}  // namespace ndnf
