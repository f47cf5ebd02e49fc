#pragma once

#include <atomic>

namespace ndnf::testing {

/// Every allocation of the test program so far; table_env_test.cpp replaces `new` to count them.
extern std::atomic<long> allocations;

}  // namespace ndnf::testing
