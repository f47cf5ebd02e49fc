#include "ndnf/reproduce/reproduce.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress_bar.h"
#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/reproduce/all_experiments.h"

namespace ndnf::cli {
namespace {

struct ReproduceOptions {
  ReproduceRequest request;
  std::optional<std::size_t> jobs;
  std::optional<std::string> out;
};

std::string reproduction_text(const Reproduction& result) {
  std::string all = to_text(result.document);
  for (const std::string& file : result.files) all += fmt::format("\nwritten     {}", file);
  return all + "\n";
}

Reply execute(const ReproduceOptions& options) {
  Ranks ranks;
  ReproduceRequest request = options.request;
  request.jobs = options.jobs.value_or(default_jobs(ranks));
  request.out = options.out.value_or(request.effort.quick ? "runs/reproduce-quick" : "runs/reproduce");
  if (request.formats.empty()) request.formats = kReportFormats;
  std::optional<ProgressBar> bar(std::in_place, "reproduce");
  request.watch = bar->watch();
  Reproduction result = reproduce(request, ranks);
  bar.reset();
  if (!ranks.first()) return silence();
  return reply(std::move(result), reproduction_text);
}

void check_format(const std::string& format) {
  if (std::find(kReportFormats.begin(), kReportFormats.end(), format) == kReportFormats.end()) {
    throw Error("--format", "there is no format " + format, suggestion(format, kReportFormats));
  }
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  return names;
}

Action prepare_reproduce(CLI::App& app) {
  const auto options = std::make_shared<ReproduceOptions>();
  app.add_flag("--quick", options->request.effort.quick,
               "few seeds and short time limits: a test run of two minutes")
      ->disable_flag_override();
  app.add_option("--only", options->request.only, fmt::format("only these: {}", fmt::join(names(), ", ")))
      ->type_name(kTable)
      ->expected(1, -1);
  app.add_option("--out", options->out,
                 "the folder for runs and results, finished or not (default: runs/reproduce)")
      ->type_name(kFolder);
  add_integer(
      app, "--jobs", 1, kMaxJobs, [options](std::uint64_t n) { options->jobs = n; },
      "the number of threads; only times depend on it (default: one per core)");
  app.add_option_function<std::vector<std::string>>(
         "--format",
         [options](const std::vector<std::string>& formats) {
           for (const std::string& format : formats) check_format(format);
           options->request.formats = formats;
         },
         fmt::format("the formats to write: {} (default: all)", fmt::join(kReportFormats, ", ")))
      ->type_name(kReportFormat)
      ->expected(1, -1);
  return [options] { return execute(*options); };
}

}  // namespace

Command reproduce_command() {
  return {"reproduce",
          "Reproduces the paper's tables and figures beside our results; resumes where it was interrupted.",
          {"ndnf reproduce --quick", "ndnf reproduce --only returns taxi --format markdown",
           "mpirun -n 8 ndnf reproduce --out /shared/reproduce"},
          prepare_reproduce};
}

}  // namespace ndnf::cli
