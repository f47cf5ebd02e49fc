#pragma once

#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

std::vector<TaskKind> mountain_car_kinds();

}  // namespace ndnf
