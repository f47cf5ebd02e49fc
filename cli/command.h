#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace ndnf::cli {

/// What a command has to say, made only in the form that was asked for.
struct Reply {
  std::function<nlohmann::ordered_json()> json;
  std::function<std::string()> text;
  std::string failure;   ///< What does not hold, as a sentence; empty when all is well.
  int failure_code = 1;  ///< The exit code then.
  bool by_line = false;  ///< The JSON is an array, printed as one object per line.
};

/// A reply from a result of the pipeline: its to_json, and `text` for people.
template <class Result, class Text>
Reply reply(Result result, Text text, std::string failure = "") {
  const auto kept = std::make_shared<const Result>(std::move(result));
  return {[kept] { return to_json(*kept); }, [kept, text] { return text(*kept); }, std::move(failure), 1,
          false};
}

/// Nothing: the first of several ranks speaks for all.
inline Reply silence() {
  return {[] { return nlohmann::ordered_json::array(); }, [] { return std::string(); }, "", 1, true};
}

/// What a command does once its options have been read.
using Action = std::function<Reply()>;

struct Command {
  std::string name;
  std::string summary;                       ///< One sentence.
  std::vector<std::string> examples;         ///< Lines to type, for --help.
  std::function<Action(CLI::App&)> prepare;  ///< Declares the options.
};

/// The table of commands, in the order of --help.
std::vector<Command> commands();

}  // namespace ndnf::cli
