#pragma once

#include <vector>

#include "ndnf/env/task.h"

namespace ndnf {

std::vector<TaskKind> blackjack_kinds();

}  // namespace ndnf
