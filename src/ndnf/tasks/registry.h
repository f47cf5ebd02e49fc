#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

/// All known environments: the paper's in its order, then ours.
const std::vector<TaskKind>& task_kinds();

/// Builds `NAME`, `NAME:settings` (`small-corridor:wall`, `long-corridor-5:length=9,goal=8`) or the model in
/// a `FILE.json` or `FILE.drn`. Throws Error for anything else, suggesting the nearest name or setting.
Task make_task(std::string_view spec);

}  // namespace ndnf
