#pragma once

#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

std::vector<TaskKind> acrobot_kinds();

}  // namespace ndnf
