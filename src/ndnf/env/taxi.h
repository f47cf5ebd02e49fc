#pragma once

#include <vector>

#include "ndnf/env/environment.h"

namespace ndnf {

std::vector<EnvironmentKind> taxi_kinds();

}  // namespace ndnf
