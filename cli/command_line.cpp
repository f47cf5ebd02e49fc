#include "cli/command_line.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/screen.h"
#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/nn/kernels/kernels.h"
#include "ndnf/training/build_info.h"

namespace ndnf::cli {
namespace {

/// Shows the kind of an option's value and nothing else; for arguments the name is enough.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
    column_width(24);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = option->get_type_name();
    if (option->get_positional() || value.empty()) return "";
    return option->get_expected_min() == 0 ? " [" + value + "]" : " " + value;
  }
};

struct CommandLine {
  CLI::App app{"Control policies that can be read, edited and verified.", "ndnf"};
  bool json = false;
  bool version = false;
  std::map<const CLI::App*, Action> actions;
};

std::string examples_text(const std::vector<std::string>& examples) {
  return fmt::format("Example:\n  {}", fmt::join(examples, "\n  "));
}

void declare_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print one JSON object instead of text")->disable_flag_override();
}

void declare(CommandLine& line, const StudioServer& serve) {
  line.app.formatter(std::make_shared<HelpFormat>());
  line.app.set_help_flag("-h,--help", "print this help and exit");
  line.app.add_flag("--version", line.version, "print the version and how the program was built")
      ->disable_flag_override();
  declare_json(line.app, line.json);
  line.app.require_subcommand(0, 1);
  line.app.footer(
      examples_text({"ndnf envs", "ndnf eval optimal --env small-corridor:wall", "ndnf envs --help"}));
  for (const Command& command : commands(serve)) {
    CLI::App* sub = line.app.add_subcommand(command.name, command.summary)->group("Commands");
    sub->footer(examples_text(command.examples));
    line.actions[sub] = command.prepare(*sub);
    declare_json(*sub, line.json);
  }
}

/// The command that was being parsed when parsing failed, or the program itself.
CLI::App& active(CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.back();
}

Error unexpected(CLI::App& app) {
  CLI::App& command = active(app);
  const auto unread = app.remaining(true);
  const std::string word = unread.empty() ? "" : unread.front().substr(0, unread.front().find('='));
  if (word.starts_with("-")) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    return Error(word, "there is no such option", suggestion(word, known));
  }
  if (&command != &app) return Error(word, fmt::format("{} takes no further argument", command.get_name()));
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return Error(word, "there is no such command", suggestion(word, names));
}

/// CLI11's error as an Error in our own words.
Error complaint(CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected(app);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = text.substr(0, text.find_first_of(": "));
    if (text.ends_with("missing")) return Error(option, "needs a value");
    if (text.ends_with("override")) return Error("--" + option, "takes no value");
    return Error(option, "may be given only once");
  }
  const CLI::App& command = active(app);
  return Error("", text, fmt::format("see ndnf {}--help", &command == &app ? "" : command.get_name() + " "));
}

/// Throws Error if standard output cannot be written completely. If the reader of a pipe has gone, as with
/// `| head`, the program ends silently by SIGPIPE, as usual.
void write_output(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return;
  const int reason = errno;
  if (reason == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw Error("standard output", fmt::format("cannot be written ({})", std::strerror(reason)));
}

/// Parses the arguments; false if help was requested and printed.
bool parse(CommandLine& line, int argc, const char* const* argv) {
  try {
    line.app.parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp&) {
    write_output(help_text(line.app.help()));
    return false;
  } catch (const CLI::ParseError& error) {
    throw complaint(line.app, error);
  }
}

/// The build and the kernels in use on this processor.
struct Version {
  BuildInfo build;
  std::string kernels;
};

std::string version_text(const Version& version) {
  const BuildInfo& build = version.build;
  return fmt::format("ndnf {}\ncompiler      {}\nbuild         {}: {}\narchitecture  {}, kernels {}\n",
                     build.version, build.compiler, build.build_type, build.flags, build.architecture,
                     version.kernels);
}

nlohmann::ordered_json to_json(const Version& version) {
  nlohmann::ordered_json json = to_json(version.build);
  json["kernels"] = version.kernels;
  return json;
}

std::string json_lines(const Reply& reply) {
  const auto line = [](const nlohmann::ordered_json& object) {
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  };
  if (!reply.by_line) return line(reply.json());
  std::string all;
  for (const nlohmann::ordered_json& object : reply.json()) all += line(object);
  return all;
}

void print(const Reply& reply, bool json) {
  const std::string text = json ? json_lines(reply) : reply.text();
  write_output(text);
  if (!reply.failure.empty()) fmt::print(stderr, "{} {}\n", error_prefix(), reply.failure);
}

int execute(CommandLine& line) {
  const auto parsed = line.app.get_subcommands();
  if (!parsed.empty()) {
    const Reply reply = line.actions.at(parsed.front())();
    print(reply, line.json);
    return reply.failure.empty() ? 0 : reply.failure_code;
  }
  if (line.version) {
    print(reply(Version{build_info(), std::string(kernel_set().name)}, version_text), line.json);
    return 0;
  }
  if (line.json) throw Error("--json", "needs a command", "see ndnf --help");
  write_output(help_text(line.app.help()));
  return 0;
}

}  // namespace

std::string option_text(std::string_view name, std::string_view value) {
  const std::string option = name == "output" ? "-o" : fmt::format("--{}", name);
  return value.empty() ? option : fmt::format("{} {}", option, value);
}

int run(int argc, const char* const* argv, const StudioServer& serve) {
  CommandLine line;
  declare(line, serve);
  return parse(line, argc, argv) ? execute(line) : 0;
}

}  // namespace ndnf::cli
