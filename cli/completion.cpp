#include "cli/command.h"
#include "cli/completion_script.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/presets.h"

namespace ndnf::cli {
namespace {

struct Completion {
  std::string shell;
  std::string script;
};

nlohmann::ordered_json to_json(const Completion& completion) {
  return {{"shell", completion.shell}, {"script", completion.script}};
}

struct Shell {
  const char* name;
  std::string (*script)(const CommandTree&);
};
constexpr Shell kShells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.push_back(shell.name);
  return names;
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  return names;
}

std::map<std::string, Candidates> candidates() {
  Candidates environments{{}, true};
  for (const TaskKind& kind : task_kinds()) environments.words.push_back(kind.name);
  Candidates presets{{}, true};
  for (const Preset& preset : ndnf::presets()) presets.words.push_back(preset.name);
  return {{kEnvironment, environments},
          {kPreset, presets},
          {kPolicy, {{"uniform", "optimal"}, true}},
          {kSelection, {{"argmax", "sample", "epsilon:0.1"}, false}},
          {kShell, {shell_names(), false}},
          {kMethod, {kMethods, false}},
          {kSyntax, {kSyntaxes, false}},
          {kOver, {kOvers, false}},
          {kTies, {kTieRules, false}},
          {kForm, {kForms, false}},
          {kThreshold, {kThresholds, false}},
          {kSolver, {kSolvers, false}},
          {kScope, {kScopes, false}},
          {kFormat, {kFormats, false}},
          {kView, {kViews, false}},
          {kTable, {table_names(), false}},
          {kReportFormat, {kReportFormats, false}},
          {kFile, {{}, true}},
          {kFolder, {{}, true}}};
}

std::vector<CompletedOption> options_of(const CLI::App& app) {
  std::vector<CompletedOption> options;
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->nonpositional(); })) {
    CompletedOption completed{{}, option->get_description(), option->get_type_name()};
    for (const std::string& name : option->get_snames()) completed.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) completed.names.push_back("--" + name);
    options.push_back(std::move(completed));
  }
  return options;
}

std::string argument_of(const CLI::App& app) {
  const auto arguments = app.get_options([](const CLI::Option* o) { return o->get_positional(); });
  return arguments.empty() ? "" : arguments.front()->get_type_name();
}

CommandTree tree_of(const CLI::App& root) {
  CommandTree tree{options_of(root), {}, candidates()};
  for (const CLI::App* app : root.get_subcommands([](const CLI::App*) { return true; })) {
    tree.commands.push_back({app->get_name(), app->get_description(), options_of(*app), argument_of(*app)});
  }
  return tree;
}

Completion complete(const std::string& name, const CLI::App& root) {
  for (const Shell& shell : kShells) {
    if (shell.name == name) return {name, shell.script(tree_of(root))};
  }
  throw Error(name, "there is no completion for this shell", suggestion(name, shell_names()));
}

Action prepare_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name(kShell);
  return [shell, root = app.get_parent()] {
    return reply(complete(*shell, *root), [](const Completion& completion) { return completion.script; });
  };
}

}  // namespace

Command completion_command() {
  return {"completion",
          "Prints a script that completes commands, options and names in a shell.",
          {"source <(ndnf completion bash)", "ndnf completion fish | source"},
          prepare_completion};
}

}  // namespace ndnf::cli
