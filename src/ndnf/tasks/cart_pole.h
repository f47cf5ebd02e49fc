#pragma once

#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

std::vector<TaskKind> cart_pole_kinds();

}  // namespace ndnf
