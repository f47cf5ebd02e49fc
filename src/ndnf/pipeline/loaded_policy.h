#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/environment.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A POLICY argument with all that verification wants of it.
struct LoadedPolicy {
  std::string name;
  Selection select;
  PolicyTable table;      ///< The probabilities with which actions are really taken.
  bool shielded = false;  ///< By a shield of its own or the one it was loaded with.
  std::optional<Program> program{};
  std::optional<BoundProgram> bound{};  ///< With `program`.
};

/// What load_rows reads, with its program if it is one. Without `selection` actions are picked as the policy
/// itself says; `shield` is a file of rules that forbid actions, besides those that bind it already.
LoadedPolicy load_with_program(const std::string& policy, const Environment& environment,
                               const std::optional<Selection>& selection,
                               const std::optional<std::string>& shield);

/// The rules that fire in an observation, each with its line: "line 3: action(hit) :- hand(4).". Empty for
/// what is no program.
std::vector<std::string> fired_rules(const LoadedPolicy& policy, const ObservationTable& table, ObsId obs);

/// A row in words: "hit", "hit 0.7, stick 0.3", or why it is undefined ("names no action").
std::string row_text(const PolicyTable& policy, const Vocabulary& vocabulary, ObsId obs);
/// The same; what is undefined "names no action under the shield" if there is one.
std::string row_text(const LoadedPolicy& policy, const Vocabulary& vocabulary, ObsId obs);

}  // namespace ndnf
