#pragma once

#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

std::vector<TaskKind> door_corridor_kinds();

}  // namespace ndnf
