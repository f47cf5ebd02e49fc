#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/environment.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/actor_critic.h"

namespace ndnf {

/// The checkpoint file of a run: `run` itself if it is a file, otherwise the model in that folder. Throws
/// Error if there is none.
std::filesystem::path checkpoint_file(const std::string& run);

/// The environment that a POLICY argument names, if it does: that of a run, the `env` of a policy file or the
/// comment `% environment: …` of a program. If a run keeps a copy of its model file, the copy is used.
std::optional<std::string> environment_of(const std::string& policy);

/// The environment that `spec` names: one of environment_kinds() with its settings, or a model file. The
/// Error for a file of another kind says what it is.
Environment open_environment(const std::string& spec);

/// The environment that `env` names or, without it, the first that one of the policies names. Throws Error if
/// none does, or if the model file has changed since the policy was made for it.
Environment environment_for(const std::optional<std::string>& env, const std::vector<std::string>& policies);

/// How the policy's actions are picked by default: `eval.select` of a run, `argmax` for ASP, otherwise
/// `sample`.
Selection selection_of(const std::string& policy);

/// A policy's rows and the actions that its shields allow.
struct ShieldedRows {
  PolicyTable table;               ///< Forbidden actions have probability 0.
  std::optional<ActionMask> mask;  ///< The allowed actions; empty without a shield.

  /// The probabilities with which actions are taken under this selection.
  PolicyTable selected(const Selection& selection) const {
    return select(table, selection, mask ? &*mask : nullptr);
  }
};

/// The rows, restricted by the mask (if there is one) as ActionMask::apply does.
ShieldedRows restricted(const PolicyTable& rows, const std::optional<ActionMask>& shield);

/// Loads a POLICY argument: `uniform`, `optimal`, a run directory, a `.safetensors` checkpoint, a program
/// (`.lp`, `.pl`: docs/programs.md), or a `.json` table of probabilities (docs/policy-file.md). Observations
/// that the file does not mention are undefined ("names no action"). Throws Error with the file and the place
/// in it. A run that was trained under a shield, or a network compiled under one, keeps it; `shield` is an
/// additional mask. Under a shield `optimal` is the best policy of allowed actions, networks are softmaxes
/// over the allowed actions, and any other policy is restricted by ActionMask::apply.
ShieldedRows load_rows(const std::string& policy, const Environment& environment,
                       const std::optional<ActionMask>& shield = std::nullopt);
PolicyTable load_policy(const std::string& policy, const Environment& environment);

/// The network of a run or checkpoint. Empty for other kinds of policy and for shielded policies, which their
/// network alone does not determine. Throws Error if it does not fit the environment.
std::optional<ActorCritic<double>> load_network(const std::string& policy, const Environment& environment);

/// The table as a `.json` policy file, with one row per observation of a decision state.
std::string to_policy_file(const PolicyTable& policy, const Environment& environment);

}  // namespace ndnf
