#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/env/task.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// What a DRN file leaves open.
struct DrnSettings {
  std::int64_t limit = 0;  ///< The step limit; 0 means that of the file, if it has one.
  double discount = 0;     ///< 0 means that of the file, if it has one.
  std::string reward;      ///< The reward model; empty means the only one.
  std::string goal;        ///< The label of states in which an episode ends.
  bool costs = false;      ///< Rewards are costs: the task has them negated.
};

/// The settings as `FILE.drn:key=value,…` takes them.
ConfigTable<DrnSettings> drn_settings();

/// Whether a spec names a DRN file: FILE.drn or FILE.drn:settings.
bool is_drn_spec(std::string_view spec);

/// Reads a Markov model in Storm's DRN format as a task (docs/model-file.md#models-of-model-checkers):
/// a DTMC, MDP or POMDP. An action that a state does not have is not offered there; the values of a state's
/// variables become atoms. The name of the input is a spec. Throws Error with the line.
Task read_drn_file(const Input& spec);

}  // namespace ndnf
