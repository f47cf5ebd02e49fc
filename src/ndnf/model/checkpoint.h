#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/q_table.h"

namespace ndnf {

/// A learned policy with everything needed to use it again: the contents of a run's model.safetensors
/// (docs/checkpoint.md).
struct Checkpoint {
  std::string model;  ///< "ndnf-mt", "ndnf", "ndnf-eo", "mlp" or "q-table".
  std::variant<ActorCritic<float>, QTable> policy;
  std::shared_ptr<const Vocabulary> vocabulary;
  std::string env;                 ///< The environment it was trained on, as make_task reads it.
  std::string preset;              ///< The preset it was trained with; may be empty.
  Selection select;                ///< The preset's eval.select.
  std::string extract_as = "asp";  ///< The preset's extract.as: "asp" or "problog".
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;               ///< Environment steps (samples, for distillation) of its training.
  std::string shield{};                  ///< The rules that forbid actions (docs/shields.md); empty for none.
  std::string env_fingerprint{};         ///< Of the model file that `env` names; empty if it names none.
  std::string extract_threshold = "kl";  ///< The preset's extract.threshold: "kl" or "actions".
};

/// The same checkpoint always gives the same bytes. REQUIRES: the sizes match each other and the vocabulary.
std::string to_bytes(const Checkpoint& checkpoint);

/// Throws Error naming `where` if the bytes are not a checkpoint, have another version, or are incomplete or
/// contradictory.
Checkpoint parse_checkpoint(std::string_view where, std::string_view bytes);
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// Throws Error naming `where` and the first difference if the policy is for different atoms, actions or
/// dense rows.
void check_fits(std::string_view where, const Checkpoint& checkpoint, const ObservationTable& table);

/// The policy in double. `mask`, if given, is what a shield allows in the tables it is used with, and
/// outlives it; the checkpoint's own shield is not applied automatically. REQUIRES: the checkpoint matches
/// those tables.
std::unique_ptr<Policy> policy_of(const Checkpoint& checkpoint, const ActionMask* mask = nullptr);

}  // namespace ndnf
