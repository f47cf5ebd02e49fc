#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "ndnf/env/environment.h"
#include "ndnf/pipeline/train_config.h"

namespace ndnf {

/// The environment that the settings from `source` name. A model file is the copy that a run keeps if
/// `source` is the config.toml of that run, or if the file itself is gone and `resumed` is that run; the
/// environment's spec is then still the one in the settings.
Environment training_environment(const std::string& source, const TrainConfig& config,
                                 const std::optional<std::filesystem::path>& resumed = std::nullopt);

}  // namespace ndnf
