#pragma once

#include <cstdint>
#include <vector>

namespace ndnf {

/// The strongly connected components of a graph, `next[i]` being the successors of i: every component comes
/// after those that it leads to.
std::vector<std::vector<std::uint32_t>> strong_components(
    const std::vector<std::vector<std::uint32_t>>& next);

/// The nodes from which one of `targets` can be reached, themselves included.
std::vector<bool> can_reach(const std::vector<std::vector<std::uint32_t>>& next, std::vector<bool> targets);

}  // namespace ndnf
