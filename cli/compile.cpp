#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "ndnf/pipeline/compile_program.h"

namespace ndnf::cli {
namespace {

std::string agreement_text(const ProgramCompilation& result) {
  const std::size_t defined = result.observations - result.undefined;
  std::string text = fmt::format("{} of {} {}observations", defined - result.disagreements, defined,
                                 result.sampled ? "" : "reachable ");
  if (result.sampled) text += fmt::format(": {} of episodes", *result.sampled);
  if (result.kinds) text += fmt::format(", and all {} kinds that the rules tell apart", *result.kinds);
  if (result.syntax == Syntax::kProbLog) text += fmt::format(", probabilities to {:.2g}", result.max_dp);
  return text;
}

std::string compile_text(const ProgramCompilation& result) {
  std::string all = fmt::format("{} on {}: {} conjunctions of {} atoms, {} actions\n", result.program,
                                result.env, result.conjunctions, result.inputs, result.actions);
  all += fmt::format("agrees      in {}\n", agreement_text(result));
  if (result.undefined > 0) {
    all +=
        fmt::format("undefined   in {} more: the program has no action or several, the network takes one\n",
                    result.undefined);
  }
  if (!result.file.empty()) all += fmt::format("written     {}\n", result.file);
  return all;
}

Reply compile(const CompileRequest& request) {
  ProgramCompilation result = compile_program(request);
  std::string failure;
  if (!result.agrees()) {
    failure = fmt::format("{}: the network agrees only in {}, so nothing is written", result.program,
                          agreement_text(result));
  }
  return reply(std::move(result), compile_text, std::move(failure));
}

Action prepare_compile(CLI::App& app) {
  const auto request = std::make_shared<CompileRequest>();
  app.add_option("PROGRAM", request->program, "a program, .lp (ASP) or .pl (ProbLog)")
      ->required()
      ->type_name(kFile);
  app.add_option("--env", request->env, "the environment (default: the one the program names)")
      ->type_name(kEnvironment);
  add_shield(app, request->shield, "rules (.lp) that forbid actions; stored with the network");
  app.add_option("--encoder", request->encoder,
                 "compute a_0, a_1, … by the encoder of this run, ignoring their definitions in the program")
      ->type_name(kPolicy);
  app.add_option("-o,--output", request->output,
                 "the network's file (default: the program's name with .safetensors)")
      ->type_name(kFile);
  return [request] { return compile(*request); };
}

}  // namespace

Command compile_command() {
  return {"compile",
          "Compiles a logic program into an equivalent network.",
          {"ndnf compile policy.lp --env door-corridor-t",
           "ndnf compile run/policy.lp --encoder run -o edited.safetensors", "ndnf compile policy.pl --json",
           "ndnf compile policy.lp --env blackjack --shield examples/shields/never-bust.lp"},
          prepare_compile};
}

}  // namespace ndnf::cli
