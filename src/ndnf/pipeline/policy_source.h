#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/environment.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// The checkpoint of a run: `run` itself if it is a file, otherwise the model in that folder. Throws Error if
/// there is none.
std::filesystem::path checkpoint_file(const std::string& run);

/// The environment that a POLICY argument names itself (a run's, a policy file's `env`, a program's comment
/// `% environment: …`), if it does. A run's model file is the copy that the run keeps, if it keeps one.
std::optional<std::string> environment_of(const std::string& policy);

/// The environment that `spec` names: one of environment_kinds() with its settings, or a model file. Throws
/// Error, which tells what the file is when it is something else.
Environment open_environment(const std::string& spec);

/// The environment `env` names or, without it, the first that one of the policies names. Throws Error when
/// none does, and when that is a model file which has changed since the policy was made for it.
Environment environment_for(const std::optional<std::string>& env, const std::vector<std::string>& policies);

/// How its actions are meant to be picked: a run's `eval.select`, `argmax` for ASP, otherwise `sample`.
Selection selection_of(const std::string& policy);

/// A policy's rows and the shields that bind it.
struct ShieldedRows {
  PolicyTable table;               ///< Forbidden actions have probability 0.
  std::optional<ActionMask> mask;  ///< What it may do; nothing without a shield.

  /// The probabilities with which actions are really taken.
  PolicyTable selected(const Selection& selection) const {
    return select(table, selection, mask ? &*mask : nullptr);
  }
};

/// Rows that a shield, if there is one, restricts as ActionMask::apply does.
ShieldedRows restricted(const PolicyTable& rows, const std::optional<ActionMask>& shield);

/// What POLICY means on a command line: `uniform`, `optimal`, a run directory, a `.safetensors` checkpoint, a
/// program (`.lp`, `.pl`: docs/programs.md), or a `.json` table of probabilities (docs/policy-file.md).
/// Observations the file does not mention are undefined ("names no action"). Throws Error naming the file and
/// the place in it. A run that was trained, or a network that was compiled, under a shield keeps it; `shield`
/// is a mask besides. `optimal` is then the best policy of allowed actions, networks are softmaxes over
/// these, and any other policy is what ActionMask::apply makes of it.
ShieldedRows load_rows(const std::string& policy, const Environment& environment,
                       const std::optional<ActionMask>& shield = std::nullopt);
PolicyTable load_policy(const std::string& policy, const Environment& environment);

/// The network of a run or checkpoint; nothing for a policy of another kind, and for one with a shield, which
/// is more than its network. Throws Error if it does not fit.
std::optional<ActorCritic<double>> load_network(const std::string& policy, const Environment& environment);

/// The table as such a file: one row per observation at which somebody decides.
std::string to_policy_file(const PolicyTable& policy, const Environment& environment);

}  // namespace ndnf
