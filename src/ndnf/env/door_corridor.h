#pragma once

#include <vector>

#include "ndnf/env/environment.h"

namespace ndnf {

std::vector<EnvironmentKind> door_corridor_kinds();

}  // namespace ndnf
