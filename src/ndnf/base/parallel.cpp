#include "ndnf/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace ndnf {

std::size_t default_jobs() { return std::max(1u, std::thread::hardware_concurrency()); }

void parallel_for(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t t = 1; t < std::min(jobs, count); ++t) threads.emplace_back(work);
  } catch (const std::system_error&) {  // no more threads available: the existing ones do all the work
  }
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ndnf
