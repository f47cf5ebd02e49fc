#pragma once

#include <vector>

#include "ndnf/env/environment.h"

namespace ndnf {

std::vector<EnvironmentKind> blackjack_kinds();

}  // namespace ndnf
