#pragma once

#include <map>
#include <string>
#include <vector>

namespace ndnf::cli {

/// The candidates for a value.
struct Candidates {
  std::vector<std::string> words;
  bool files = false;  ///< File names are candidates, too.
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

/// Everything that a shell needs to complete the command line.
struct CommandTree {
  std::vector<CompletedOption> options;  ///< The options before a command.
  std::vector<CompletedCommand> commands;
  std::map<std::string, Candidates> candidates;

  /// The candidates of a kind; empty for kinds without candidates, such as numbers.
  Candidates of(const std::string& kind) const;
};

std::string bash_script(const CommandTree& tree);
std::string zsh_script(const CommandTree& tree);
std::string fish_script(const CommandTree& tree);

}  // namespace ndnf::cli
