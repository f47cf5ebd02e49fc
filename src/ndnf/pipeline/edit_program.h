#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/system/input.h"

namespace ndnf {

/// A rule that is replaced by another.
struct Replacement {
  std::string rule;  ///< Its line or head.
  std::string by;    ///< The new rule.
};

/// How to change a program. Several changes are made in this order: remove, replace, add, forbid, prefer,
/// override. Lines are those of the program as it is read.
struct EditRequest {
  Input program;         ///< An .lp or .pl file.
  std::string when{};    ///< The body of a rule, such as "hand(X), X > 18", perhaps with comparisons in the
                         ///< task's units, "velocity > 0.5". Empty: always.
  std::string action{};  ///< What to do where it holds; empty to override nothing.
  std::optional<Input> env{};      ///< Default: the one that the program names.
  std::optional<Input> encoder{};  ///< The run whose predicates a_0, a_1, … the program uses.
  bool visited = false;  ///< The predicates must be equivalent only in the observations that are visited.
  std::string output{};  ///< Where to write the program. If empty, nothing is written.
  std::vector<std::string> add{};     ///< New rules.
  std::vector<std::string> remove{};  ///< Rules, by line or head.
  std::vector<Replacement> replace{};
  std::string forbid{};  ///< An action that must not be taken where `when` holds; `action` is taken instead.
  std::string prefer{};  ///< An action that is taken instead of `over` where both hold and `when` does.
  std::string over{};
  std::optional<double> discount{};  ///< Of returns, instead of the task's own.
  std::size_t episodes = 1000;       ///< To sample where there is no finite model.
  std::string shown_when{};          ///< The condition in the comment of the edit; default: as in the rule.
};

struct ProgramEdit {
  std::string program;
  std::string env;
  std::string condition;         ///< As written in the program; empty without one.
  bool predicates = false;       ///< It uses the encoder's predicates, not the environment's atoms.
  std::size_t observations = 0;  ///< The number of reachable observations in which it holds.
  bool already = false;          ///< The program takes the action there as it is: no rule was added.
  std::size_t changed = 0;       ///< The number of reachable observations with another action than before.
  std::optional<double> return_before{};  ///< Exact; nothing if there is none (Evaluation).
  std::optional<double> return_after{};
  /// Without a finite model: the number of sampled episodes behind each return, and its standard errors.
  /// Observations are then the kinds that the rules before and after the edit tell apart (verify/cells.h).
  std::optional<std::size_t> episodes{};
  double stderr_before = 0;
  double stderr_after = 0;
  std::size_t scope = 0;  ///< The number of reachable observations, or of these kinds.
  std::string
      undefined;  ///< Why not exactly one action holds in every reachable observation; empty if it does.
  std::size_t newly_undefined = 0;  ///< The number of reachable observations that lost their one action.
  std::string diff;                 ///< From the program to the edited one, as `diff -u` writes it.
  std::string text;                 ///< The edited program.
  std::string file;                 ///< Empty if nothing was written.
};

/// Changes the rules that it must and leaves every other byte of the text. Writes the edited program
/// atomically. An overriding rule disables only rules that would take another action where it applies. With
/// an encoder, its condition is written in the encoder's predicates if some conjunction of them holds in
/// exactly the same observations, among the reachable ones or among those that the program visits before the
/// edit. Throws Error for a condition that never holds, and for mistakes in the program before or after the
/// edit.
ProgramEdit edit_program(const EditRequest& request);

nlohmann::ordered_json to_json(const ProgramEdit& result);

}  // namespace ndnf
