#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/screen.h"
#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/pipeline/edit_program.h"

namespace ndnf::cli {
namespace {

constexpr const char* kRule = "RULE";
constexpr const char* kLine = "LINE|HEAD";
constexpr const char* kBody = "BODY";
constexpr const char* kAction = "ACTION";

std::string exact_return_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : "undefined";
}

/// What observations are counted in.
std::string kinds(const ProgramEdit& result) {
  return result.episodes ? fmt::format("of {} kinds of observations that the rules tell apart", result.scope)
                         : "reachable observations";
}

std::string check_line(const ProgramEdit& result) {
  if (result.undefined.empty()) {
    return result.episodes ? "exactly one action in every observation within the ranges"
                           : "exactly one action in every reachable observation";
  }
  return (result.newly_undefined > 0 ? coloured("FAILS: ", Colour::kRed) : "as before the edit: ") +
         result.undefined;
}

std::string returns(const ProgramEdit& result) {
  if (!result.episodes) {
    return fmt::format("{} (before {})", exact_return_text(result.return_after),
                       exact_return_text(result.return_before));
  }
  const auto sampled = [](const std::optional<double>& value, double error) {
    return value ? with_error(fmt::format("{:.6g}", *value), error) : "undefined";
  };
  return fmt::format("{} (before {}; standard errors, {} sampled episodes each)",
                     sampled(result.return_after, result.stderr_after),
                     sampled(result.return_before, result.stderr_before), *result.episodes);
}

/// Removed lines in red, added ones in green.
std::string coloured_diff(std::string_view diff) {
  std::string text;
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
    const bool heading = line.starts_with("---") || line.starts_with("+++");
    const bool changed = !heading && (line.starts_with('-') || line.starts_with('+'));
    text += changed ? coloured(line, line[0] == '-' ? Colour::kRed : Colour::kGreen) : std::string(line);
    text += '\n';
  }
  return text;
}

std::string edit_text(const ProgramEdit& result) {
  std::string text = coloured_diff(result.diff);
  text += fmt::format("{} on {}\n", result.program, result.env);
  if (!result.condition.empty()) {
    text += fmt::format("when        {}{}\nholds       in {} {}\n", result.condition,
                        result.predicates ? ", in the encoder's predicates" : "", result.observations,
                        kinds(result));
  }
  if (result.already) text += "rules       as they were: they do so already\n";
  text += fmt::format("changed     {} {}\nreturn      {}\n", result.changed, kinds(result), returns(result));
  text += fmt::format("check       {}\n", check_line(result));
  return text + (result.file.empty() ? "not written: name a file with -o\n"
                                     : fmt::format("written     {}\n", result.file));
}

Reply edit(const EditRequest& request) {
  ProgramEdit result = edit_program(request);
  std::string failure;
  if (result.newly_undefined > 0) {
    failure = fmt::format("{}: the edit leaves {} {} without exactly one action", result.program,
                          result.newly_undefined, kinds(result));
  }
  return reply(std::move(result), edit_text, std::move(failure));
}

void add_verbs(CLI::App& app, EditRequest& request, std::vector<std::string>& replaced,
               std::vector<std::string>& by) {
  const auto repeated = [&](const char* name, std::vector<std::string>& target, const char* type,
                            const char* text) {
    app.add_option(name, target, text)->type_name(type)->allow_extra_args(false);
  };
  app.add_option("--when", request.when,
                 "where: what the body of a rule may be, such as 'hand(X), X > 18' or "
                 "'velocity > 0.5'")
      ->type_name(kBody);
  app.add_option("--do", request.action, "the action to take there, and no other")->type_name(kAction);
  repeated("--add", request.add, kRule, "a rule to add; may be repeated");
  repeated("--remove", request.remove, kLine, "the rule to remove, by its line or its head; may be repeated");
  repeated("--replace", replaced, kLine, "the rule to replace, by its line or its head; may be repeated");
  repeated("--with", by, kRule, "what replaces it");
  app.add_option(
         "--forbid", request.forbid,
         "an action that must not be taken (where --when holds); with --do another one is taken instead")
      ->type_name(kAction);
  app.add_option("--prefer", request.prefer, "the action to take where this one and --over both hold")
      ->type_name(kAction);
  app.add_option("--over", request.over, "the action that gives way")->type_name(kAction);
}

Action prepare_edit(CLI::App& app) {
  const auto request = std::make_shared<EditRequest>();
  const auto replaced = std::make_shared<std::vector<std::string>>();
  const auto by = std::make_shared<std::vector<std::string>>();
  app.add_option("PROGRAM", request->program, "a program, .lp (ASP) or .pl (ProbLog)")
      ->required()
      ->type_name(kFile);
  add_verbs(app, *request, *replaced, *by);
  app.add_option("-o,--output", request->output,
                 "the edited program's file; without it the edit is only shown")
      ->type_name(kFile);
  app.add_option("--env", request->env, "the environment (default: the one the program names)")
      ->type_name(kEnvironment);
  add_discount(app, request->discount);
  app.add_option("--encoder", request->encoder,
                 "write the condition in the predicates a_0, a_1, … of this run, if they can express it")
      ->type_name(kPolicy);
  add_choice(
      app, "--scope", kScope, kScopes,
      [request](const std::string& scope) { request->visited = scope == "visited"; },
      "where those predicates must be equivalent: in reachable observations, or in those the program visits "
      "(default: "
      "reachable)");
  return [request, replaced, by] {
    if (replaced->size() != by->size())
      throw Error(argument("replace"), "needs as many --with", "--replace 3 --with 'RULE'");
    request->replace.clear();
    for (std::size_t i = 0; i < by->size(); ++i) request->replace.push_back({(*replaced)[i], (*by)[i]});
    return edit(*request);
  };
}

}  // namespace

Command edit_command() {
  return {"edit",
          "Changes rules of a program and leaves the rest of its text; shows the difference and its effect.",
          {"ndnf edit policy.lp --when one_step_ahead_goal --do toggle --env door-corridor-t -o edited.lp",
           "ndnf edit policy.lp --when 'hand(X), X > 18, not dealer(1)' --do stick",
           "ndnf edit policy.lp --remove 4 --add 'action(hit) :- hand(4..11).' -o edited.lp",
           "ndnf edit policy.lp --forbid hit --when 'hand(19..21)' --do stick -o edited.lp",
           "ndnf edit policy.lp --prefer stick --over hit -o edited.lp"},
          prepare_edit};
}

}  // namespace ndnf::cli
