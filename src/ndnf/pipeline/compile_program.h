#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/syntax/program.h"
#include "ndnf/system/input.h"

namespace ndnf {

/// Which program to compile into a network, and how.
struct CompileRequest {
  Input program;                   ///< An .lp or .pl file.
  std::optional<Input> env{};      ///< Default: the one named by the program or by the encoder's run.
  std::optional<Input> encoder{};  ///< The run whose encoder computes a_0, a_1, …
  /// Default: the program's name with the extension .safetensors; for contents nothing is written.
  std::optional<std::string> output{};
  std::optional<Input> shield{};  ///< Rules that forbid actions, stored with the network.
};

struct ProgramCompilation {
  std::string program;
  std::string env;
  Syntax syntax = Syntax::kAsp;
  std::string bytes;  ///< The checkpoint; empty if network and program disagree.
  std::string file;   ///< Empty if nothing was written.
  std::size_t conjunctions = 0;
  std::size_t inputs = 0;
  std::size_t actions = 0;
  std::size_t observations = 0;  ///< Compared: the reachable ones; of a task with numbers, those below.
  /// Of a task with numbers: the observations of episodes, and one of every kind that the program's
  /// comparisons tell apart, unless there are too many kinds to list.
  std::optional<std::size_t> sampled{};
  std::optional<std::size_t> kinds{};
  std::size_t undefined = 0;      ///< Where the program is undefined. The network picks an action anyway.
  std::size_t disagreements = 0;  ///< Where the program is defined and the network acts differently.
  double max_dp = 0;              ///< ProbLog: the largest difference between two probabilities.

  bool agrees() const { return disagreements == 0; }
};

/// Writes the checkpoint atomically, after comparing its content with the program on every reachable
/// observation. A program over numbers becomes a network whose inputs are its comparisons
/// (model/thresholds.h). Throws Error with file and line if the program cannot be compiled, or if the shield
/// forbids every action that it would take in some reachable observation.
ProgramCompilation compile_program(const CompileRequest& request);

nlohmann::ordered_json to_json(const ProgramCompilation& result);

}  // namespace ndnf
