#pragma once

#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

std::vector<TaskKind> pendulum_kinds();

}  // namespace ndnf
