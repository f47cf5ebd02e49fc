#pragma once

#include <cstdint>
#include <string>

#include "ndnf/base/config.h"

namespace ndnf {

/// The section [rules] of a preset.
struct RulesOptions {
  std::int64_t total_timesteps = 10'000'000;
  std::string teacher;  ///< Empty: an MLP, trained by PPO as [ppo] says.
  std::int64_t teacher_attempts = 4;
  std::int64_t max_rules = 10;
  std::int64_t max_literals = 24;
  bool linear = true;
  std::int64_t rounds = 12;
  std::int64_t states = 4096;
  std::int64_t islands = 2;
  std::int64_t episodes = 1000;
};
ConfigTable<RulesOptions> rules_config();

}  // namespace ndnf
