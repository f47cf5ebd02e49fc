#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "ndnf/base/error.h"
#include "ndnf/pipeline/draw_policy.h"
#include "ndnf/system/file.h"

namespace ndnf::cli {
namespace {

struct DrawOptions {
  DrawRequest request;
  std::optional<std::string> file;
};

/// A drawing, and where it was written.
struct WrittenDrawing {
  Drawing drawing;
  std::optional<std::string> file;
};

nlohmann::ordered_json to_json(const WrittenDrawing& written) {
  nlohmann::ordered_json json = to_json(written.drawing);
  json["file"] = written.file ? nlohmann::ordered_json(*written.file) : nlohmann::ordered_json(nullptr);
  return json;
}

std::string draw_text(const WrittenDrawing& written) {
  if (!written.file) return to_text(written.drawing);
  return fmt::format("{} on {}: wrote {}\n", written.drawing.policy, written.drawing.env, *written.file);
}

Reply draw(const DrawOptions& options) {
  WrittenDrawing written{draw_policy(options.request), options.file};
  if (options.file) write_file(*options.file, to_svg(written.drawing).to_string());
  return reply(std::move(written), draw_text);
}

Action prepare_draw(CLI::App& app) {
  const auto options = std::make_shared<DrawOptions>();
  DrawRequest& request = options->request;
  app.add_option("POLICY", request.policies,
                 "uniform, optimal, a run, a .safetensors file, a program (.lp, .pl) or a .json table of "
                 "probabilities; for curves runs, or folders of runs")
      ->required()
      ->type_name(kPolicy);
  add_environment(app, request.env);
  add_discount(app, request.discount);
  add_selection(app, request.select);
  add_shield(app, request.shield, kShieldBesides);
  add_choice(
      app, "--view", kView, kViews, [&request](const std::string& name) { request.view = view_of(name); },
      "policy: the actions; values: the expected returns; episode: a film strip with the rules that fired; "
      "curves: the training (default: curves for several runs, otherwise policy)");
  add_integer(
      app, "--seed", 0, UINT64_MAX, [&request](std::uint64_t n) { request.seed = n; },
      "the seed of the episode (default: 0)");
  app.add_option("--metric", request.metric,
                 "what curves show: a key of metrics.jsonl (default: the return of training episodes)")
      ->type_name("KEY");
  app.add_option_function<std::string>(
         "-o,--output",
         [options](const std::string& file) {
           if (!file.ends_with(".svg") && !file.starts_with("/dev/"))
             throw Error("-o", fmt::format("{} does not end in .svg", file), "pictures are written as SVG");
           options->file = file;
         },
         "write an SVG picture (default: text on standard output)")
      ->type_name(kFile);
  return [options] { return draw(*options); };
}

}  // namespace

Command draw_command() {
  return {"draw",
          "Draws a policy: its actions or values over the task, an episode with its rules, learning curves.",
          {"ndnf draw optimal --env taxi", "ndnf draw policy.lp --env blackjack -o blackjack.svg",
           "ndnf draw optimal --env small-corridor:wall --view values",
           "ndnf draw examples/door-corridor/dc.lp --env door-corridor --view episode -o episode.svg",
           "ndnf draw runs/paper/small-corridor-ndnf-mt -o curves.svg",
           "ndnf draw runs/a/seed-0 runs/b/seed-0 --view curves --metric delta"},
          prepare_draw};
}

}  // namespace ndnf::cli
