#pragma once

#include <cstdint>

namespace ndnf {

/// The default limit on clingo's conflicts for one problem. Conflicts rather than seconds: what is claimed of
/// a program must not depend on the machine. Most problems take fewer than a thousand; reaching the limit
/// takes from seconds to a minute.
inline constexpr std::uint64_t kSolveLimit = 200'000;

}  // namespace ndnf
