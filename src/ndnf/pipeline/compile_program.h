#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// Turn this program into a network.
struct CompileRequest {
  std::string program;                  ///< An .lp or .pl file.
  std::optional<std::string> env;       ///< Otherwise what the program names, or the encoder's run.
  std::optional<std::string> encoder;   ///< The run whose encoder gives a_0, a_1, …
  std::optional<std::string> output;    ///< Otherwise the program's name with .safetensors.
  std::optional<std::string> shield{};  ///< A file of rules that forbid actions: the network keeps them.
};

struct ProgramCompilation {
  std::string program;
  std::string env;
  Syntax syntax = Syntax::kAsp;
  std::string file;  ///< Empty if it does not agree: then nothing is written.
  std::size_t conjunctions = 0;
  std::size_t inputs = 0;
  std::size_t actions = 0;
  std::size_t observations = 0;  ///< That are reachable.
  std::size_t undefined = 0;  ///< Those where the program is undefined. The network picks an action anyway.
  std::size_t disagreements = 0;  ///< Of the others: where the network's action, or distribution, is another.
  double max_dp = 0;              ///< ProbLog: the largest difference of a probability.

  bool agrees() const { return disagreements == 0; }
};

/// Writes the checkpoint, whole or not at all, after comparing what is in it with the program on every
/// reachable observation. Throws Error naming file and line when the program cannot be compiled, or when all
/// that it would do in some reachable observation is forbidden by the shield.
ProgramCompilation compile_program(const CompileRequest& request);

nlohmann::ordered_json to_json(const ProgramCompilation& result);

}  // namespace ndnf
