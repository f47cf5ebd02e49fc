#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/model/build.h"
#include "ndnf/rules/rules_options.h"
#include "ndnf/system/input.h"
#include "ndnf/train/distill.h"
#include "ndnf/train/exact_finish.h"
#include "ndnf/train/planning.h"
#include "ndnf/train/ppo.h"
#include "ndnf/train/q_learning.h"
#include "ndnf/update/delta.h"
#include "ndnf/update/harden.h"
#include "ndnf/update/losses.h"

namespace ndnf {

/// The keys before the first section.
struct RunOptions {
  std::string preset;
  std::string env;
  std::string method = "ppo";
  std::int64_t seeds = 1;
  std::int64_t seed = 0;
  std::string shield;
};

/// The section [actor] if the policy is a table.
struct TableActorOptions {
  std::string model = "q-table";
};

/// The section [init]: a policy to start from (docs/hot-start.md).
struct InitOptions {
  std::string policy;
  std::string encoder;
  std::vector<std::string> lock;
  double scale = 1.5;
  double least = 0.02;
};

struct EvalOptions {
  std::string select = "sample";
  std::int64_t every = 0;
};

struct ExtractOptions {
  std::string as = "asp";
  std::string threshold = "kl";
};

/// Everything that determines a training run: a preset or file with all settings applied. Each method uses
/// some of the sections; the others keep their defaults.
struct TrainConfig {
  RunOptions run;
  ActorOptions actor;
  TableActorOptions table_actor;
  CriticOptions critic;
  EncoderOptions encoder;
  InitOptions init;
  PpoOptions ppo;
  PlanOptions plan;
  QLearningOptions q_learning;
  DistillOptions distill;
  RulesOptions rules;
  LossOptions losses;
  DeltaOptions delta;
  HardenOptions harden;
  FinishOptions finish;
  EvalOptions eval;
  ExtractOptions extract;
};

/// One documented section: the single source of its keys in TOML, in `--set` and in explained presets.
struct TrainSection {
  std::string name;                  ///< "" for the keys before the first section.
  std::vector<std::string> methods;  ///< The methods that use it; empty for all.
  std::vector<ConfigField> fields;
  std::function<void(TrainConfig&, const Where& where, const ConfigAssignment&)> set;
  std::function<std::vector<ConfigValue>(const TrainConfig&)> values;

  bool serves(std::string_view method) const;
};
const std::vector<TrainSection>& train_sections();

/// Reads TOML, then applies the settings, each `section.key=value`. Throws Error with file and line for
/// invalid TOML, an unknown section or key (with the nearest name), a value of a wrong type or out of range,
/// a section that the method does not use, and settings that contradict each other.
TrainConfig parse_train_config(const std::string& where, std::string_view text,
                               const std::vector<std::string>& settings = {});

/// The same for the name of a preset, a `FILE.toml`, or contents.
TrainConfig load_train_config(const Input& source, const std::vector<std::string>& settings = {});

/// Every key of the sections that the method uses, as TOML, after a comment with the build that wrote it.
std::string to_toml(const TrainConfig& config);

/// "ppo.ent_coef is 0.1 there, not 0.2" for the first key in which they differ. The key `preset` is ignored.
std::optional<std::string> first_difference(const TrainConfig& there, const TrainConfig& here);

/// A preset's text with the meaning of each key as a comment above it. It remains the same TOML.
std::string explained(std::string_view toml, std::string_view method);

}  // namespace ndnf
