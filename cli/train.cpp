#include "ndnf/training/train.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/optimum_text.h"
#include "cli/options.h"
#include "ndnf/base/config.h"
#include "ndnf/base/error.h"
#include "ndnf/base/progress.h"
#include "ndnf/base/text_table.h"
#include "ndnf/training/build_info.h"
#include "ndnf/training/training_metrics.h"

namespace ndnf::cli {
namespace {

constexpr int kSignalled = 128;  // plus the signal: the exit code that shells report for a signalled program
constexpr std::uint64_t kMaxSeed = INT64_MAX;
constexpr std::uint64_t kMaxSeeds = 1'000'000;

constexpr std::size_t kOnePerCore = 0;

std::atomic<int> interrupted{0};  ///< The signal received, or 0.
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may set nothing else");

/// While it exists, SIGINT, SIGTERM and SIGHUP set `interrupted` instead of ending the program.
class SignalGuard {
 public:
  SignalGuard() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { interrupted = signal; };
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before_[i]);
    if (before_.back().sa_handler == SIG_IGN)
      ::sigaction(kSignals.back(), &before_.back(), nullptr);  // nohup
  }
  ~SignalGuard() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_{};
};

/// The word quoted for a shell.
std::string shell_word(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,") ==
      std::string::npos;
  if (plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string resume_command(const TrainRequest& request) {
  std::string command = "ndnf train " + shell_word(request.source.name);
  if (request.folder_per_seed) {
    command += fmt::format(" --seeds {}..{}", request.seeds.front(), request.seeds.back());
  } else if (!request.seeds.empty()) {
    command += fmt::format(" --seed {}", request.seeds.front());
  }
  for (const std::string& setting : request.settings) command += " --set " + shell_word(setting);
  if (request.shield) command += " --shield " + shell_word(request.shield->name);
  if (request.out) command += " --out " + shell_word(*request.out);
  return command + " --resume";
}

std::string return_text(const Expectation& expected) {
  return expected.exact() ? fmt::format("{:.5f}", expected.value)
                          : fmt::format("{:.5f} ± {:.5f}", expected.value, expected.standard_error);
}

std::string runs_text(const std::vector<TrainedRun>& runs) {
  TextTable table({"run", "return", "gap", "select", "steps", "seconds", "steps/s"});
  for (const TrainedRun& run : runs) {
    table.add({run.run, return_text(run.mean_return), gap_text(run.optimum, run.mean_return.value, "{:.5f}"),
               run.select, fmt::format("{}", run.steps), fmt::format("{:.2f}", run.seconds),
               fmt::format("{:.0f}", run.steps_per_second())});
  }
  std::string notes;
  for (const TrainedRun& run : runs) {
    if (run.new_episodes)
      notes += fmt::format("{} was resumed with new episodes: its environment cannot be saved\n", run.run);
    if (run.begun_by == to_text(build_info())) continue;
    notes += fmt::format("{} was begun by another build, {}; the weights do not depend on it\n", run.run,
                         run.begun_by);
  }
  return runs.empty() ? "" : table.to_text() + notes;
}

Reply execute(TrainRequest request) {
  Ranks ranks;
  if (request.jobs == kOnePerCore) request.jobs = default_jobs(ranks);
  std::unique_ptr<Progress> bar;
  std::string title;
  request.listener = [&](const std::string& name, std::size_t runs) -> std::unique_ptr<TrainingListener> {
    if (name != title) bar = std::make_unique<Progress>(name, runs * ProgressShare::kWhole);
    title = name;
    return std::make_unique<ProgressShare>(*bar);
  };
  request.stop = [] { return interrupted != 0; };
  const SignalGuard guard;
  std::vector<TrainedRun> runs = train_on(ranks, request);
  bar.reset();
  if (!ranks.first()) return silence();
  const std::size_t wanted = std::max<std::size_t>(1, request.seeds.size());
  std::size_t finished = 0;
  for (const TrainedRun& run : runs) finished += run.finished ? 1 : 0;
  Reply result = reply(std::move(runs), runs_text);
  result.by_line = true;
  if (finished < wanted) {
    result.failure = fmt::format("stopped, all progress is saved; to resume: {}", resume_command(request));
    result.failure_code = kSignalled + interrupted;
  }
  return result;
}

void read_seeds(const std::string& range, TrainRequest& request) {
  const std::size_t dots = range.find("..");
  const auto first = parse_integer(range.substr(0, dots));
  const auto last = dots == std::string::npos ? first : parse_integer(range.substr(dots + 2));
  if (!first || !last || *last < *first || *last > kMaxSeed || *last - *first >= kMaxSeeds) {
    throw Error("--seeds", range + " is not a range of seeds", "write 0..15, both ends included");
  }
  request.seeds.clear();
  for (std::uint64_t seed = *first; seed <= *last; ++seed) request.seeds.push_back(seed);
  request.folder_per_seed = true;
}

/// Options that are shorthands for settings.
void add_hot_start(CLI::App& app, const std::shared_ptr<TrainRequest>& request) {
  const auto set = [request](const std::string& key, const ConfigValue& value) {
    request->settings.push_back(fmt::format("init.{}={}", key, to_text(value)));
  };
  CLI::Option* init = app.add_option_function<std::string>(
                             "--init", [set](const std::string& policy) { set("policy", policy); },
                             "start from this program or network")
                          ->type_name(kPolicy);
  app.add_option_function<std::vector<std::string>>(
         "--lock", [set](const std::vector<std::string>& rules) { set("lock", rules); },
         "keep a rule's weights fixed: its line, its head such as 'action(hit)', conj_N of a network, or "
         "all; may be repeated")
      ->type_name("RULE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->needs(init);
  app.add_option_function<std::string>(
         "--encoder", [set](const std::string& run) { set("encoder", run); },
         "the run whose encoder computes the program's predicates a_0, a_1, …")
      ->type_name(kFolder)
      ->needs(init);
}

Action prepare_train(CLI::App& app) {
  const auto request = std::make_shared<TrainRequest>();
  request->jobs = kOnePerCore;
  app.add_option("PRESET", request->source.name, "a preset (`ndnf presets` lists them) or a FILE.toml")
      ->required()
      ->type_name(kPreset);
  CLI::Option* seed = add_integer(
      app, "--seed", 0, kMaxSeed, [request](std::uint64_t n) { request->seeds = {n}; },
      "the seed of all random numbers (default: 0)");
  app.add_option_function<std::string>(
         "--seeds", [request](const std::string& range) { read_seeds(range, *request); },
         "one run per seed, each in DIR/seed-N; 0..15 includes both ends")
      ->type_name(kSeeds)
      ->excludes(seed);
  add_integer(
      app, "--jobs", 1, kMaxJobs, [request](std::uint64_t n) { request->jobs = n; },
      "seeds trained in parallel; the results do not depend on it (default: one per core)");
  app.add_option("--set", request->settings, "change a setting, such as ppo.ent_coef=0.05; may be repeated")
      ->type_name(kSetting)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_hot_start(app, request);
  add_shield(app, request->shield, "rules (.lp) that forbid actions; stored with the run");
  app.add_option("--out", request->out, "the run directory (default: runs/PRESET)")->type_name(kFolder);
  app.add_flag("--resume", request->resume, "continue a run that was stopped")->disable_flag_override();
  add_integer(
      app, "--checkpoint", 0, 1'000'000,
      [request](std::uint64_t n) { request->checkpoint_seconds = static_cast<double>(n); },
      "seconds between two checkpoints, the most work that a kill can lose (default: 5)");
  return [request] { return execute(*request); };
}

}  // namespace

Command train_command() {
  return {"train",
          "Trains a policy and writes it, with its metrics, to a run directory.",
          {"ndnf train blackjack-ndnf-mt --seed 1",
           "ndnf train small-corridor-wall-ndnf-mt --seeds 0..15 --jobs 2",
           "ndnf train taxi-mlp --set ppo.ent_coef=0.05 --out runs/mine", "ndnf train taxi-mlp --resume",
           "ndnf train blackjack-ndnf-mt --shield examples/shields/never-bust.lp --out runs/shielded",
           "ndnf train blackjack-ndnf-mt --init policy.lp --lock 'action(hit)'",
           "mpirun -n 8 ndnf train blackjack-ndnf-mt --seeds 0..99"},
          prepare_train};
}

}  // namespace ndnf::cli
