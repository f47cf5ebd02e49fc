#pragma once

#include <string>
#include <string_view>

#include "cli/studio.h"

namespace ndnf::cli {

/// An argument as written on the command line: "--as problog".
std::string option_text(std::string_view name, std::string_view value);

/// Reads the command line, runs the command and prints its reply; returns the exit code. Throws Error for bad
/// input.
int run(int argc, const char* const* argv, const StudioServer& serve);

}  // namespace ndnf::cli
