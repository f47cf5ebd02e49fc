#pragma once

#include <cstdint>

namespace ndnf {

/// A set of actions, one bit per action.
using ActionSet = std::uint64_t;

}  // namespace ndnf
