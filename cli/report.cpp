#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/progress_bar.h"
#include "ndnf/base/error.h"
#include "ndnf/pipeline/report_runs.h"
#include "ndnf/system/file.h"

namespace ndnf::cli {
namespace {

struct ReportOptions {
  ReportRequest request;
  std::string file = "report.html";
};

/// A report, and where it was written.
struct WrittenReport {
  PolicyReport report;
  std::string file;
  std::size_t bytes = 0;
};

nlohmann::ordered_json to_json(const WrittenReport& written) {
  nlohmann::ordered_json json = to_json(written.report);
  json["file"] = written.file;
  json["bytes"] = written.bytes;
  return json;
}

std::string report_text(const WrittenReport& written) {
  const std::size_t count = written.report.policies.size();
  return fmt::format("{} polic{} on {}: wrote {} ({} kB); open it in a browser\n", count,
                     count == 1 ? "y" : "ies", written.report.env, written.file,
                     (written.bytes + 500) / 1000);
}

Reply report(const ReportOptions& options) {
  ReportRequest request = options.request;
  WrittenReport written;
  {
    ProgressBar bar("report");
    request.watch = bar.watch();
    written = {report_runs(request), options.file};
  }
  const std::string html = to_html(written.report.document);
  written.bytes = html.size();
  write_file(options.file, html);
  return reply(std::move(written), report_text);
}

Action prepare_report(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  ReportRequest& request = options->request;
  app.add_option(
         "RUN", request.policies,
         "runs, folders of runs (seeds are reported together), programs or other policies; several are "
         "compared side by side")
      ->required()
      ->type_name(kPolicy);
  add_environment(app, request.env);
  add_discount(app, request.discount);
  add_selection(app, request.select);
  add_shield(app, request.shield, kShieldBesides);
  app.add_option("--property", request.properties, "check this too (docs/properties.md); may be repeated")
      ->type_name(kProperty)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_integer(
      app, "--seed", 0, UINT64_MAX, [&request](std::uint64_t n) { request.seed = n; },
      "the seed of the episode that is shown (default: 0)");
  app.add_option_function<std::string>(
         "-o,--output",
         [options](const std::string& file) {
           if (!file.ends_with(".html") && !file.starts_with("/dev/"))
             throw Error("-o", fmt::format("{} does not end in .html", file), "reports are written as HTML");
           options->file = file;
         },
         "where to write the page (default: report.html)")
      ->type_name(kFile);
  return [options] { return report(*options); };
}

}  // namespace

Command report_command() {
  return {"report",
          "Writes one self-contained page about runs: curves, program, proofs, pictures, weights.",
          {"ndnf report runs/paper/door-corridor-ndnf-mt",
           "ndnf report runs/a/seed-0 runs/b/seed-0 -o compared.html",
           "ndnf report policy.lp --env taxi --property 'P>=1 [F \"goal\"]'"},
          prepare_report};
}

}  // namespace ndnf::cli
