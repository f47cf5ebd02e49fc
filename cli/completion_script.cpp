#include "cli/completion_script.h"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ndnf::cli {
namespace {

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string with_backslash(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// In single quotes as bash and zsh read them, where no character can be escaped.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string names_of(const std::vector<CompletedOption>& options) {
  std::vector<std::string> names;
  for (const CompletedOption& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names);
}

std::string names_of(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CompletedCommand& command : commands) names.push_back(command.name);
  return joined(names);
}

/// `option[help]:kind:values` as zsh's _arguments reads it.
std::string zsh_option(const CompletedOption& option, const std::string& values) {
  std::vector<std::string> lines;
  for (const std::string& name : option.names) {
    const std::string help = with_backslash(option.help, "[]\\");
    lines.push_back(in_quotes(option.value.empty()
                                  ? fmt::format("{}[{}]", name, help)
                                  : fmt::format("{}=[{}]:{}:{}", name, help, option.value, values)));
  }
  return joined(lines);
}

/// The source of values, as an action of zsh's _arguments.
std::string zsh_values(const Candidates& candidates) {
  const std::string words = with_backslash(joined(candidates.words), ":");
  if (!candidates.files) return fmt::format("({})", words);
  return words.empty() ? "_files" : fmt::format("{{compadd - {}; _files}}", words);
}

std::string fish_option(const CompletedOption& option, const std::string& condition,
                        const Candidates& candidates) {
  std::string text = fmt::format("complete -c ndnf -n '{}'", condition);
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  if (!option.value.empty()) text += candidates.files ? " -r -F" : " -x";
  if (!candidates.words.empty()) text += fmt::format(" -a '{}'", joined(candidates.words));
  return fmt::format("{} -d '{}'\n", text, with_backslash(option.help, "'\\"));
}

}  // namespace

Candidates CommandTree::of(const std::string& kind) const {
  const auto found = candidates.find(kind);
  return found == candidates.end() ? Candidates{} : found->second;
}

/// `-o default` completes file names wherever no word fits.
std::string bash_script(const CommandTree& tree) {
  std::string values;
  std::string commands;
  for (const CompletedCommand& command : tree.commands) {
    for (const CompletedOption& option : command.options) {
      if (option.value.empty()) continue;
      values += fmt::format("    {}:{}) words='{}' options= ;;\n", command.name, option.names.back(),
                            joined(tree.of(option.value).words));
    }
    commands += fmt::format("    {}:*) words='{}' options='{}' ;;\n", command.name,
                            joined(tree.of(command.argument).words), names_of(command.options));
  }
  return fmt::format(R"(# Completion of ndnf in bash. To load it: source <(ndnf completion bash)
_ndnf() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= words= options= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${{COMP_WORDS[i]}} != -* ]]; then command=${{COMP_WORDS[i]}}; break; fi
  done
  [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD - 2]}}
  [[ $word == = ]] && word=
  case $command:$before in
{}{}    *) words='{}' options='{}' ;;
  esac
  [[ $word == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _ndnf ndnf
)",
                     values, commands, names_of(tree.commands), names_of(tree.options));
}

std::string zsh_script(const CommandTree& tree) {
  std::string global;
  for (const CompletedOption& option : tree.options) global += fmt::format(" {}", zsh_option(option, ""));
  std::string list;
  std::string cases;
  for (const CompletedCommand& command : tree.commands) {
    list += fmt::format("      {}\n", in_quotes(command.name + ":" + command.help));
    cases += fmt::format("      {}) _arguments", command.name);
    for (const CompletedOption& option : command.options) {
      cases += fmt::format(" \\\n        {}", zsh_option(option, zsh_values(tree.of(option.value))));
    }
    if (!command.argument.empty()) {
      cases += fmt::format(" \\\n        {}", in_quotes(fmt::format("1:{}:{}", command.argument,
                                                                    zsh_values(tree.of(command.argument)))));
    }
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef ndnf
# Completion of ndnf in zsh. To load it: source <(ndnf completion zsh)
_ndnf() {{
  local line state
  _arguments -C{} '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=(
{}      )
      _describe command commands ;;
    rest)
      case $line[1] in
{}      esac ;;
  esac
}}
if [[ $funcstack[1] == _ndnf ]]; then _ndnf "$@"; else compdef _ndnf ndnf; fi
)",
                     global, list, cases);
}

std::string fish_script(const CommandTree& tree) {
  std::string text =
      "# Completion of ndnf in fish. To load it: ndnf completion fish | source\ncomplete -c ndnf -f\n";
  for (const CompletedOption& option : tree.options) text += fish_option(option, "__fish_use_subcommand", {});
  for (const CompletedCommand& command : tree.commands) {
    text += fmt::format("complete -c ndnf -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        with_backslash(command.help, "'\\"));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const CompletedOption& option : command.options)
      text += fish_option(option, condition, tree.of(option.value));
    const Candidates argument = tree.of(command.argument);
    if (command.argument.empty()) continue;
    text += fmt::format("complete -c ndnf -n '{}'{} -a '{}'\n", condition, argument.files ? " -F" : "",
                        joined(argument.words));
  }
  return text;
}

}  // namespace ndnf::cli
