#pragma once

#include <cstddef>
#include <functional>

namespace ndnf {

/// The default number of threads: one per core.
std::size_t default_jobs();

/// Calls body(0) … body(count − 1), each once, on `jobs` threads including the caller's. After the first
/// exception no further index is started, and the exception is rethrown here. The assignment of indices to
/// threads is not deterministic, so each body writes only to its own slot; combine the results in index
/// order afterwards.
void parallel_for(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& body);

}  // namespace ndnf
