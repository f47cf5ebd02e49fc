#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "ndnf/pipeline/edit_program.h"

namespace ndnf::cli {
namespace {

std::string edit_text(const ProgramEdit& result) {
  return fmt::format(
      "{} on {}: added one overriding rule\n"
      "when        {}\n"
      "holds       in {} reachable observations\n"
      "written     {}\n",
      result.program, result.env,
      result.condition + (result.predicates ? ", in the encoder's predicates" : ""), result.observations,
      result.file);
}

Action prepare_edit(CLI::App& app) {
  const auto request = std::make_shared<EditRequest>();
  app.add_option("PROGRAM", request->program, "a program, .lp (ASP) or .pl (ProbLog)")
      ->required()
      ->type_name(kFile);
  app.add_option("--when", request->when, "literals over the environment's atoms: 'a, not b'")
      ->required()
      ->type_name("LITERALS");
  app.add_option("--do", request->action, "the action to take there")->required()->type_name("ACTION");
  app.add_option("-o,--output", request->output, "the edited program's file")->required()->type_name(kFile);
  app.add_option("--env", request->env, "the environment (default: the one the program names)")
      ->type_name(kEnvironment);
  app.add_option("--encoder", request->encoder,
                 "write the condition in the predicates a_0, a_1, … of this run, if they can express it")
      ->type_name(kPolicy);
  add_choice(
      app, "--scope", kScope, kScopes,
      [request](const std::string& scope) { request->visited = scope == "visited"; },
      "where those predicates must be equivalent: in reachable observations, or in those the program visits "
      "(default: "
      "reachable)");
  return [request] { return reply(edit_program(*request), edit_text); };
}

}  // namespace

Command edit_command() {
  return {"edit",
          "Adds a rule to a program that overrides all others.",
          {"ndnf edit policy.lp --when one_step_ahead_goal --do toggle --env door-corridor-t -o edited.lp",
           "ndnf edit run/policy.lp --when 'hand(12), dealer(4)' --do stick -o edited.lp"},
          prepare_edit};
}

}  // namespace ndnf::cli
