#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/studio.h"

namespace ndnf::cli {

/// The output of a command, created only in the requested form.
struct Reply {
  std::function<nlohmann::ordered_json()> json;
  std::function<std::string()> text;
  std::string failure;   ///< What does not hold, as a sentence; empty on success.
  int failure_code = 1;  ///< The exit code if `failure` is not empty.
  bool by_line = false;  ///< The JSON is an array, to be printed as one object per line.
};

/// A reply from a result of the pipeline: its to_json, and `text` for the terminal.
template <class Result, class Text>
Reply reply(Result result, Text text, std::string failure = "") {
  const auto kept = std::make_shared<const Result>(std::move(result));
  return {[kept] { return to_json(*kept); }, [kept, text] { return text(*kept); }, std::move(failure), 1,
          false};
}

/// An empty reply: of several ranks only the first prints.
inline Reply silence() {
  return {[] { return nlohmann::ordered_json::array(); }, [] { return std::string(); }, "", 1, true};
}

/// Runs a command after its options have been parsed.
using Action = std::function<Reply()>;

struct Command {
  std::string name;
  std::string summary;                       ///< One sentence.
  std::vector<std::string> examples;         ///< Command lines, for --help.
  std::function<Action(CLI::App&)> prepare;  ///< Declares the options.
};

/// The table of commands, in the order of --help. `serve` may be empty: then there is no studio.
std::vector<Command> commands(const StudioServer& serve);

}  // namespace ndnf::cli
