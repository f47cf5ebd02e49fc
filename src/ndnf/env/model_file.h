#pragma once

#include <string>

#include "ndnf/env/task.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Reads a task from JSON (docs/model-file.md). Throws Error naming the file and the location in it.
Task read_model_file(const Input& input);

/// The model in this file format: reading it back gives the same model.
std::string to_model_file(const FiniteModel& model, const std::string& name);

}  // namespace ndnf
