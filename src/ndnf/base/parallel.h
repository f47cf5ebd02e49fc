#pragma once

#include <cstddef>
#include <functional>

namespace ndnf {

/// The number of threads to use when nobody said: one per core.
std::size_t default_jobs();

/// Calls body(0) … body(count − 1), each once, on `jobs` threads (the caller's among them). The first
/// exception stops the handing out of work and is rethrown here. Which thread runs which index is not fixed,
/// so a body writes only to its own slot and results are joined in index order afterwards.
void parallel_for(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& body);

}  // namespace ndnf
