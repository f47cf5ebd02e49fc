#include <cstddef>
#include <cstdint>

#include "harness.h"

/// libFuzzer's entry point.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ndnf::fuzz::run_once({reinterpret_cast<const char*>(data), size});
  return 0;
}
