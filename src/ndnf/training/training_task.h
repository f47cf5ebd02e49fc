#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ndnf/env/task.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train_config.h"

namespace ndnf {

/// The environment that the settings from `source` name. Instead of a model file, the copy kept by a run is
/// used if `source` is the config.toml of that run, or if the file no longer exists and `resumed` is that
/// run. The environment's spec remains the one in the settings; `by` says where those have it from.
Task training_task(const Input& source, const TrainConfig& config, NamedBy by,
                   const std::optional<std::filesystem::path>& resumed = std::nullopt);

}  // namespace ndnf
