#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

/// All known environments: the paper's in its order, then ours.
const std::vector<TaskKind>& task_kinds();

/// Who says the name of a task. What the user says is done; a name in a file, which may be a stranger's, must
/// not lead to anything new, such as a module that is imported.
enum class NamedBy : std::uint8_t { kUser, kFile };

/// Makes the task that `PREFIX:NAME` names; gets the whole word. Called from any thread.
using TaskSource = std::function<Task(const std::string& spec, NamedBy by)>;

/// Lets a front end bring tasks of its own along, whose names begin with `PREFIX:`. Replaces an earlier
/// source of this prefix. Gymnasium's environments, `gym:ID`, come with the Python package.
void add_task_source(const std::string& prefix, TaskSource source);

/// Whether a word names such a task, or one of Gymnasium's, which is refused without the package.
bool is_brought_task(std::string_view spec);

/// Builds `NAME`, `NAME:settings` (`small-corridor:wall`, `long-corridor-5:length=9,goal=8`), the model in a
/// `FILE.json` or `FILE.drn`, or a task that the front end brings along. Throws Error for anything else,
/// suggesting the nearest name or setting.
Task make_task(std::string_view spec, NamedBy by = NamedBy::kFile);

}  // namespace ndnf
