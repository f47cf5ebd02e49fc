#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "ndnf/pipeline/import_weights.h"

namespace ndnf::cli {
namespace {

std::string import_text(const ImportedWeights& result) {
  std::string text =
      fmt::format("{} on {}, {}: {} conjunctions of {} inputs, {} actions\n", result.weights, result.env,
                  result.select.to_string(), result.conjunctions, result.inputs, result.actions);
  if (!result.left_out.empty())
    text += fmt::format("left out    {} tensors of the critic\n", result.left_out.size());
  return text + fmt::format("written     {}\n", result.file);
}

Action prepare_import(CLI::App& app) {
  const auto request = std::make_shared<ImportRequest>();
  app.add_option(
         "WEIGHTS", request->weights,
         "conjunctions.weights, disjunctions.weights and an encoder's parameters, as .safetensors or .npz")
      ->required()
      ->type_name(kFile);
  app.add_option("--env", request->env, "the environment whose atoms and actions they are for")
      ->required()
      ->type_name(kEnvironment);
  app.add_option_function<std::string>(
         "--select",
         [request](const std::string& how) { request->select = Selection::parse("--select", how); },
         "how actions are picked: argmax, sample (the default) or epsilon:X")
      ->type_name(kSelection);
  add_choice(
      app, "--model", "MODEL", {"ndnf-mt", "ndnf", "ndnf-eo"},
      [request](const std::string& model) { request->model = model; },
      "what they are the weights of (default: ndnf-mt)");
  add_choice(
      app, "--inputs", "CODING", {"signed", "binary"},
      [request](const std::string& inputs) { request->inputs = inputs; },
      "the input value of a false atom: signed (-1, the default) or binary (0)");
  app.add_option("--delta", request->delta, "delta of both layers, above 0 and at most 1 (default: 1)")
      ->type_name(kNumber);
  app.add_option("-o,--output", request->output, "the network's file")->required()->type_name(kFile);
  return [request] { return reply(import_weights(*request), import_text); };
}

}  // namespace

Command import_command() {
  return {"import",
          "Imports the weights of a neural DNF, such as those of the paper's PyTorch code, as a network.",
          {"ndnf import weights.safetensors --env blackjack -o blackjack.safetensors",
           "ndnf import weights.npz --env small-corridor --select argmax -o corridor.safetensors"},
          prepare_import};
}

}  // namespace ndnf::cli
