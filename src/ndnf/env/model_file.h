#pragma once

#include <string>
#include <string_view>

#include "ndnf/env/task.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Reads a task from JSON (docs/model-file.md). Throws Error naming the file and the location in it.
Task read_model_file(const Input& input);

/// The task of a model without pictures of its own: its states are shown as cards. `source` is its model
/// file.
Task model_task(FiniteModel model, const std::string& name, std::string source);

/// Whether `ndnf eval` has a figure of this name, so that no tag may have it.
bool is_figure(std::string_view name);

/// The model in this file format, with where its states lie, if that is known: reading it back gives the
/// same.
std::string to_model_file(const FiniteModel& model, const std::string& name, const Layout* layout = nullptr);
std::string to_model_file(const Task& task);

}  // namespace ndnf
