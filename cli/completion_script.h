#pragma once

#include <map>
#include <string>
#include <vector>

namespace ndnf::cli {

/// What may be typed for a value.
struct Candidates {
  std::vector<std::string> words;
  bool files = false;  ///< Also the name of a file.
};

struct CompletedOption {
  std::vector<std::string> names;  ///< -h, --help
  std::string help;
  std::string value;  ///< The kind of its value, a key of CommandTree::candidates, or "" for a flag.
};

struct CompletedCommand {
  std::string name;
  std::string help;
  std::vector<CompletedOption> options;
  std::string argument;  ///< The kind of its argument, or "".
};

/// All that a shell needs to know about the command line.
struct CommandTree {
  std::vector<CompletedOption> options;  ///< Before any command.
  std::vector<CompletedCommand> commands;
  std::map<std::string, Candidates> candidates;

  /// The candidates of a kind; none for a kind without any, such as a number.
  Candidates of(const std::string& kind) const;
};

std::string bash_script(const CommandTree& tree);
std::string zsh_script(const CommandTree& tree);
std::string fish_script(const CommandTree& tree);

}  // namespace ndnf::cli
