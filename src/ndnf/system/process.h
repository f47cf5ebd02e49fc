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
  std::vector<std::string> arguments;  ///< The program (looked up in PATH) and what it is given. No shell.
  std::string input;                   ///< What it reads from its standard input.
  std::filesystem::path directory;     ///< Where it runs; empty for where we are.
  std::optional<std::chrono::milliseconds> time_limit;
  /// More than so many bytes on standard output, or on standard error, end it.
  std::optional<std::size_t> output_limit{};
  std::optional<Confinement> confinement{};  ///< With its own directory and environment instead of ours.
};

struct ProcessResult {
  int exit_code = -1;       ///< −1 when a signal ended it.
  int signal = 0;           ///< The signal that ended it, or 0.
  bool timed_out = false;   ///< We ended it because the time was over.
  bool output_cut = false;  ///< We ended it because it wrote too much.
  std::string output;       ///< All it wrote to standard output, also when we ended it.
  std::string errors;       ///< And to standard error.
};

/// Runs a program to its end in a process group of its own. When it ends, or is at a limit, whatever it
/// started and left behind is killed too; a confined program that may start processes is told (SIGTERM) a few
/// seconds before, for it may have given them groups of their own. If we are killed it is told to stop
/// (SIGTERM), or killed at once where it only computes. Throws Error if it cannot be started.
ProcessResult run_process(const ProcessRequest& request);

/// How a program ended, for a sentence: "exit code 3", "signal 9 (Killed)".
std::string how_it_ended(const ProcessResult& result);

}  // namespace ndnf
