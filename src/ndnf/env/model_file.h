#pragma once

#include <filesystem>
#include <string>

#include "ndnf/env/environment.h"

namespace ndnf {

/// Reads a task from a JSON file (docs/model-file.md). Throws Error naming the file and the location in it.
Environment read_model_file(const std::filesystem::path& path);

/// The model in this file format: reading it back gives the same model.
std::string to_model_file(const FiniteModel& model, const std::string& name);

}  // namespace ndnf
