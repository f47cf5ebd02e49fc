#pragma once

#include <vector>

#include "ndnf/system/input.h"

namespace ndnf {

/// The policies that arguments name: each itself or, for a folder that is not a run, the runs in it. These
/// are its folders seed-N, in the order of their numbers, or, if it has none, all runs in it by name. Throws
/// Error if one of them is a symbolic link: commands write into runs.
std::vector<Input> policies_in(const std::vector<Input>& named);

}  // namespace ndnf
