#pragma once

#include <vector>

#include "ndnf/env/environment.h"

namespace ndnf {

std::vector<EnvironmentKind> corridor_kinds();

}  // namespace ndnf
