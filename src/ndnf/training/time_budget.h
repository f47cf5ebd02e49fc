#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/env/task.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// About how many environment steps of a training fit into a time, in whole iterations: its speed is measured
/// for a tenth of that time, without writing anything. A training with so many steps is as repeatable as any
/// other. Nothing if it was finished before: then no limit is needed.
std::optional<std::uint64_t> steps_within(double seconds, const Input& source,
                                          const std::vector<std::string>& settings, const Task& task);

}  // namespace ndnf
