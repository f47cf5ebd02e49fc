#pragma once

namespace ndnf::cli {

/// Reads the command line, runs the command and prints its reply; returns the exit code. Throws Error for bad
/// input.
int run(int argc, const char* const* argv);

}  // namespace ndnf::cli
