#include "harness.h"

#include <cstdio>
#include <cstdlib>

#include "ndnf/base/error.h"

namespace ndnf::fuzz {

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void run_once(std::string_view input) {
  try {
    try_input(input);
  } catch (const Error&) {
    // rejected, as intended
  }
}

}  // namespace ndnf::fuzz
