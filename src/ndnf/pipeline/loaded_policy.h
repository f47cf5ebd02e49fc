#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/environment.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A POLICY argument, loaded with everything that verification needs.
struct LoadedPolicy {
  std::string name;
  Selection select;
  PolicyTable table;      ///< The probabilities with which actions are taken, after selection and shield.
  bool shielded = false;  ///< By a shield of its own or by the one it was loaded with.
  std::optional<Program> program{};
  std::optional<BoundProgram> bound{};  ///< Set if `program` is.
};

/// Loads a policy as load_rows does, and keeps its program if it is one. Without `selection` the policy's own
/// is used (selection_of). `shield` is a file of rules that forbid actions, in addition to a shield of its
/// own.
LoadedPolicy load_with_program(const std::string& policy, const Environment& environment,
                               const std::optional<Selection>& selection,
                               const std::optional<std::string>& shield);

/// The rules that fire in an observation, each with its line: "line 3: action(hit) :- hand(4).". Empty if the
/// policy is not a program.
std::vector<std::string> fired_rules(const LoadedPolicy& policy, const ObservationTable& table, ObsId obs);

/// A row as text: "hit", "hit 0.7, stick 0.3", or why it is undefined ("names no action").
std::string row_text(const PolicyTable& policy, const Vocabulary& vocabulary, ObsId obs);
/// The same; for a shielded policy an undefined row reads "names no action under the shield".
std::string row_text(const LoadedPolicy& policy, const Vocabulary& vocabulary, ObsId obs);

}  // namespace ndnf
