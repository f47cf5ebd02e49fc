#pragma once

#include <exception>
#include <functional>
#include <string>

#include "cli/studio.h"

namespace ndnf::cli {

/// One sentence about an exception that is not ours.
using Describe = std::function<std::string(const std::exception& error)>;

/// The whole program, for front ends that bring tasks of their own along: reads the command line, runs the
/// command, prints its reply or one sentence about bad input. Returns the exit code: 0 done; 1 ran, and the
/// thing checked does not hold; 2 bad input or usage. Without `serve` the command `studio` says that there is
/// no web server.
int run_program(int argc, const char* const* argv, const StudioServer& serve = {},
                const Describe& describe = {});

}  // namespace ndnf::cli
