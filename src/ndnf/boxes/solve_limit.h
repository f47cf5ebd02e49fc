#pragma once

#include <cstdint>

namespace ndnf {

/// How many conflicts clingo may run into for one question, unless told otherwise. Conflicts rather than
/// seconds: what is claimed of a program must not depend on the machine. Most questions take fewer than a
/// thousand; this many take from seconds to a minute.
inline constexpr std::uint64_t kSolveLimit = 200'000;

}  // namespace ndnf
