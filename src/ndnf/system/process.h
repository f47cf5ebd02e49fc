#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/system/confinement.h"

namespace ndnf {

struct ProcessRequest {
  std::vector<std::string> arguments;  ///< The program (looked up in PATH) and its arguments. No shell.
  std::string input;                   ///< Its standard input.
  std::filesystem::path directory;     ///< Its working directory; empty for ours.
  std::optional<std::chrono::milliseconds> time_limit;
  /// The program is ended when it writes more than this many bytes to standard output or to standard error.
  std::optional<std::size_t> output_limit{};
  std::optional<Confinement> confinement{};  ///< With its own directory and environment instead of ours.
};

struct ProcessResult {
  int exit_code = -1;       ///< −1 when a signal ended it.
  int signal = 0;           ///< The signal that ended it, or 0.
  bool timed_out = false;   ///< Ended at the time limit.
  bool output_cut = false;  ///< Ended at the output limit.
  std::string output;       ///< All of its standard output, also if it was ended early.
  std::string errors;       ///< The same for standard error.
};

/// Runs a program to completion in its own process group. When it ends, or reaches a limit, all processes
/// left in the group are killed. A confined program that may start processes gets SIGTERM a few seconds
/// earlier, since it may have moved them to other groups. If we are killed, the program gets SIGTERM, or
/// SIGKILL if it only computes. Throws Error if it cannot be started.
ProcessResult run_process(const ProcessRequest& request);

/// How a program ended, to be used in a sentence: "exit code 3", "signal 9 (Killed)".
std::string how_it_ended(const ProcessResult& result);

}  // namespace ndnf
