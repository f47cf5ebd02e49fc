#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "ndnf/pipeline/export_policy.h"

namespace ndnf::cli {
namespace {

std::string export_text(const ExportedPolicy& result) {
  return fmt::format("{} on {}, {}{}: {} ({}, {} bytes)\n", result.policy, result.env,
                     result.select.to_string(), result.shielded ? ", shielded" : "", result.file,
                     result.format, result.bytes.size());
}

Action prepare_export(CLI::App& app) {
  const auto request = std::make_shared<ExportRequest>();
  add_policy(app, "POLICY", request->policy);
  add_environment(app, request->env);
  add_discount(app, request->discount);
  add_selection(app, request->select);
  add_shield(app, request->shield, kShieldBesides);
  add_choice(
      app, "--format", kFormat, kFormats, [request](const std::string& format) { request->format = format; },
      "c (one C99 file), npz (NumPy), onnx (ONNX Runtime and others), or the policy's Markov chain: drn "
      "(Storm's "
      "explicit format), prism (PRISM's language, actions and atoms as labels)")
      ->required();
  app.add_option("-o", request->file, "the file to write")->required()->type_name(kFile);
  return [request] { return reply(export_policy(*request), export_text); };
}

}  // namespace

Command export_command() {
  return {"export",
          "Exports a policy as C code, NumPy arrays or ONNX, or its Markov chain for other model checkers.",
          {"ndnf export policy.lp --env door-corridor --format c -o policy.c",
           "ndnf export runs/blackjack --format onnx -o policy.onnx",
           "ndnf export policy.lp --env door-corridor --format prism -o chain.prism",
           "ndnf export optimal --env taxi --format drn -o chain.drn"},
          prepare_export};
}

}  // namespace ndnf::cli
