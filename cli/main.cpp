#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "cli/command_line.h"

/// Exit codes: 0 done; 1 ran, and the thing checked does not hold; 2 bad input or usage.
int main(int argc, char** argv) {
  try {
    return ndnf::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ndnf: there is not enough memory for this\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "ndnf: {}\n", error.what());
  }
  return 2;
}
