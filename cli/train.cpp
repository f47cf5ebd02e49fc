#include "ndnf/training/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/optimum_text.h"
#include "cli/options.h"
#include "cli/policy_options.h"
#include "cli/screen.h"
#include "cli/signals.h"
#include "ndnf/base/config.h"
#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"
#include "ndnf/base/plain_text.h"
#include "ndnf/base/progress.h"
#include "ndnf/base/text_table.h"
#include "ndnf/training/build_info.h"
#include "ndnf/training/recipe.h"
#include "ndnf/training/training_metrics.h"

namespace ndnf::cli {
namespace {

constexpr std::uint64_t kMaxSeed = INT64_MAX;
constexpr std::uint64_t kMaxSeeds = 1'000'000;

constexpr std::size_t kOnePerCore = 0;

/// What the user asked for: a preset as it is, or a task and how to learn it.
struct TrainCommand {
  TrainRequest request;
  std::string source;
  RecipeRequest recipe;
  std::optional<double> seconds;
  std::vector<std::string> choices;       ///< Of the recipe.
  std::vector<std::string> rule_options;  ///< Those given of a search for rules: "--max-rules".
};

/// The command that goes on with these runs: as it was given, except that a time has become a number of
/// steps.
std::string resume_command(const CLI::App& app, const TrainCommand& wanted) {
  std::string command = "ndnf train";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name() == "--resume") continue;
    for (const std::string& value : option->results()) {
      if (option->get_name() == "--time" && wanted.recipe.steps) {
        command += fmt::format(" --steps {}", *wanted.recipe.steps);
      } else if (option->get_name() == "--linear") {
        command += value == "true" ? " --linear" : " --no-linear";
      } else {
        if (!option->get_lnames().empty()) command += " --" + option->get_lnames().front();
        if (option->get_expected_max() > 0) command += " " + shell_word(value);
      }
    }
  }
  return command + " --resume";
}

std::string return_text(const Expectation& expected, const std::function<std::string(double)>& figure) {
  if (std::isnan(expected.value)) return "none: it may never end";
  return expected.exact() ? figure(expected.value)
                          : with_error(figure(expected.value), expected.standard_error, figure);
}

/// That of a run; a search that was stopped early has no program yet.
std::string return_text(const TrainedRun& run, const std::function<std::string(double)>& figure) {
  return run.rules && run.rules->front.entries.empty() ? "none: no rules yet"
                                                       : return_text(run.mean_return, figure);
}

std::string teacher_text(const RuleFront& front) {
  const std::string teacher =
      with_error(fmt::format("teacher: {:.6g}", front.teacher.mean), front.teacher.error);
  const std::size_t episodes = front.pick().figures.episodes;
  return teacher + (front.pick().exact_return
                        ? fmt::format("; returns are exact, the worst is that of {} episodes", episodes)
                        : fmt::format("; those of the pick are from {} fresh episodes that no decision used",
                                      episodes));
}

/// The programs of a run's front, and what to know about them.
std::string front_text(const TrainedRun& run) {
  const RuleFront& front = run.rules->front;
  if (front.entries.empty())
    return fmt::format("{} was stopped before it had rules; --resume goes on\n", run.run);
  TextTable table({"program", "rules", "literals", "terms", "return", "worst", ""}, {1, 2, 3, 4, 5});
  for (const FrontEntry& entry : front.entries) {
    const Expectation figures =
        entry.exact_return ? Expectation{*entry.exact_return}
                           : Expectation{entry.figures.mean, entry.figures.error, entry.figures.episodes};
    const auto figure = [size = std::abs(figures.value)](double value) { return table_figure(value, size); };
    table.add({"front/" + front_file(entry), fmt::format("{}", entry.list.rules.size()),
               fmt::format("{}", entry.list.literal_count()), fmt::format("{}", entry.list.term_count()),
               return_text(figures, figure), figure(entry.figures.worst), entry.picked ? "policy.lp" : ""});
  }
  std::string text = table.to_text(screen_width());
  text += fitted(front.final ? teacher_text(front)
                             : "returns are those for which these programs were chosen, so likely too high");
  for (const std::string& warning : front.warnings) text += fitted("warning: " + warning);
  return text + "\n" + to_text(program_of(front.pick().list, *run.rules->features));
}

std::string runs_text(const std::vector<TrainedRun>& runs) {
  TextTable table({"run", "return", "gap", "select", "steps", "seconds", "steps/s"}, {1, 2, 4, 5, 6});
  for (const TrainedRun& run : runs) {
    const auto figure = [size = size_of(run.mean_return.value, run.optimum)](double value) {
      return table_figure(value, size);
    };
    table.add({run.run, return_text(run, figure), gap_text(run.optimum, run.mean_return.value, figure),
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
  if (runs.empty()) return "";
  std::string summary;
  if (runs.size() > 1) summary = fitted(fmt::format("{} seeds: {}", runs.size(), to_text(summary_of(runs))));
  std::string fronts;
  for (const TrainedRun& run : runs) {
    if (run.rules && (runs.size() == 1 || !run.rules->front.warnings.empty()))
      fronts += "\n" + front_text(run);
  }
  return table.to_text(screen_width()) + summary + notes + fronts;
}

/// Options that stand for settings are refused by their own names where the method does not use them.
void check_shorthands(const TrainCommand& wanted) {
  const auto is_init = [](const std::string& setting) { return setting.starts_with("init."); };
  std::vector<std::string> others = wanted.request.settings;
  const bool starts = std::erase_if(others, is_init) > 0;
  std::erase_if(others, [](const std::string& setting) { return setting.starts_with("rules."); });
  if (!starts && wanted.rule_options.empty()) return;
  const std::string method = load_train_config(wanted.request.source, others).run.method;
  if (method != "rules" && !wanted.rule_options.empty())
    throw Error(wanted.rule_options.front(), "is an option of a search for rules",
                "learn a task with --model rules");
  if (method == "rules" && starts)
    throw Error("--init", "starts a network, and a search for rules has none",
                "--teacher takes a program or a network that it learns from");
}

/// A source that is a task becomes one with a recipe.
void apply_recipe(TrainCommand& wanted) {
  TrainRequest& request = wanted.request;
  request.source = wanted.source;
  if (!is_task(wanted.source)) {
    if (const std::string meant = meant_task(wanted.source); !meant.empty())
      throw Error(wanted.source, "is neither a task nor a preset", fmt::format("did you mean {}?", meant));
    const bool changed = wanted.recipe.recipe != "auto" || wanted.recipe.model != "ndnf-mt" ||
                         wanted.recipe.steps || !wanted.recipe.teacher.empty();
    if (!changed) return;
    throw Error(wanted.source, "is not a task: --recipe, --model, --steps and --teacher say how to learn one",
                "change a preset with --set");
  }
  wanted.recipe.task = wanted.source;
  wanted.recipe.discount = request.discount;
  if (wanted.seconds) {
    TrainRequest shared = request;
    if (shared.jobs == kOnePerCore) shared.jobs = default_jobs();
    limit_time(wanted.recipe, *wanted.seconds, shared);
    wanted.seconds.reset();
  }
  Recipe recipe = recipe_for(wanted.recipe);
  request.source = std::move(recipe.source);
  request.settings.insert(request.settings.begin(), recipe.settings.begin(), recipe.settings.end());
  if (!request.out) request.out = "runs/" + recipe.folder;
  if (recipe.steps) wanted.recipe.steps = recipe.steps;
  wanted.choices = std::move(recipe.choices);
}

Reply execute(const CLI::App& app, TrainCommand wanted) {
  apply_recipe(wanted);
  check_shorthands(wanted);
  TrainRequest& request = wanted.request;
  Ranks ranks;
  if (request.jobs == kOnePerCore) request.jobs = default_jobs(ranks);
  std::unique_ptr<Progress> bar;
  std::string title;
  request.listener = [&](const std::string& name, std::size_t runs) -> std::unique_ptr<TrainingListener> {
    if (name != title) bar = std::make_unique<Progress>(name, runs * ProgressShare::kWhole);
    title = name;
    return std::make_unique<ProgressShare>(*bar);
  };
  const auto begin = std::chrono::steady_clock::now();
  const auto late = [begin, limit = wanted.seconds] {
    return limit && std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >= *limit;
  };
  request.stop = [late] { return interrupted != 0 || late(); };
  const SignalGuard guard;
  std::vector<TrainedRun> runs = train_on(ranks, request);
  bar.reset();
  if (!ranks.first()) return silence();
  const std::size_t count = std::max<std::size_t>(1, request.seeds.size());
  std::size_t finished = 0;
  for (const TrainedRun& run : runs) finished += run.finished ? 1 : 0;
  const auto text = [choices = wanted.choices](const std::vector<TrainedRun>& all) {
    std::string lines;
    for (const std::string& choice : choices) lines += fitted("recipe: " + choice);
    lines += runs_text(all);
    for (const TrainedRun& run : all) {
      if (run.finished || interrupted != 0) continue;
      lines += fmt::format("{} was stopped after its time; --resume goes on\n", run.run);
    }
    return lines;
  };
  const ReturnSummary summary = summary_of(runs);
  Reply result = reply(std::move(runs), text);
  if (request.folder_per_seed) {
    result.json = [objects = result.json, summary] {
      nlohmann::ordered_json lines = objects();
      lines.push_back({{"summary", to_json(summary)}});
      return lines;
    };
  }
  result.by_line = true;
  if (finished < count && interrupted != 0) {
    result.failure =
        fmt::format("stopped, all progress is saved; to resume: {}", resume_command(app, wanted));
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

/// How to learn a task.
void add_recipe(CLI::App& app, const std::shared_ptr<TrainCommand>& wanted) {
  app.add_option(
         "--recipe", wanted->recipe.recipe,
         "how to learn a TASK: auto (the default: one set of settings for all), a preset or a FILE.toml")
      ->type_name(kPreset);
  add_choice(
      app, "--model", "MODEL", {"ndnf-mt", "mlp", "q-table", "rules"},
      [wanted](const std::string& model) { wanted->recipe.model = model; },
      "what --recipe auto learns: ndnf-mt (the default), mlp, q-table, or rules: ordered rules, also over "
      "numbers");
  app.add_option(
         "--teacher", wanted->recipe.teacher,
         "learn a TASK by imitating this policy: a preset, a run, a policy file, optimal; --model rules "
         "then searches on the return")
      ->type_name(kPolicy);
  add_integer(
      app, "--steps", 1, 1'000'000'000'000, [wanted](std::uint64_t n) { wanted->recipe.steps = n; },
      "environment steps of a TASK, up to the end of a round of its environments; PPO takes at least 4096");
  app.add_option_function<double>(
         "--time",
         [wanted](double seconds) {
           if (!(seconds > 0)) throw Error("--time", fmt::format("{} is not a number of seconds", seconds));
           wanted->seconds = seconds;
         },
         "instead of --steps: about this many seconds; it is told how many steps that is, and --steps "
         "repeats "
         "the run. A preset is stopped and can be resumed")
      ->type_name(kNumber);
}

/// Options of --model rules, which are shorthands for settings.
void add_rules(CLI::App& app, const std::shared_ptr<TrainCommand>& wanted) {
  const auto set = [wanted](const std::string& option, const std::string& key, const ConfigValue& value) {
    wanted->request.settings.push_back(fmt::format("rules.{}={}", key, to_text(value)));
    wanted->rule_options.push_back(option);
  };
  constexpr std::uint64_t kMost = 1000;
  add_integer(
      app, "--max-rules", 1, kMost,
      [set](std::uint64_t n) { set("--max-rules", "max_rules", static_cast<std::int64_t>(n)); },
      "with --model rules: at most N rules, not counting the last, unconditional one (default: 10)");
  add_integer(
      app, "--max-literals", 1, kMost,
      [set](std::uint64_t n) { set("--max-literals", "max_literals", static_cast<std::int64_t>(n)); },
      "with --model rules: at most this many in all rules (default: 24)");
  app.add_flag_function(
      "--linear,!--no-linear",
      [set](std::int64_t count) { set(count > 0 ? "--linear" : "--no-linear", "linear", count > 0); },
      "with --model rules: whether literals may compare sums of numbers (default: yes)");
}

Action prepare_train(CLI::App& app) {
  const auto wanted = std::make_shared<TrainCommand>();
  const std::shared_ptr<TrainRequest> request(wanted, &wanted->request);
  request->jobs = kOnePerCore;
  app.add_option("TASK|PRESET", wanted->source,
                 "a task (`ndnf envs` lists them; NAME:settings, FILE.json or FILE.drn), a preset (`ndnf "
                 "presets`) or a FILE.toml")
      ->required()
      ->type_name(kPreset);
  add_recipe(app, wanted);
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
  add_rules(app, wanted);
  add_hot_start(app, request);
  add_shield(app, request->shield, "rules (.lp) that forbid actions; stored with the run");
  add_discount(app, request->discount);
  app.add_option("--out", request->out, "the run directory (default: runs/TASK or runs/PRESET)")
      ->type_name(kFolder);
  app.add_flag("--resume", request->resume, "continue a run that was stopped")->disable_flag_override();
  add_integer(
      app, "--checkpoint", 0, 1'000'000,
      [request](std::uint64_t n) { request->checkpoint_seconds = static_cast<double>(n); },
      "seconds between two checkpoints, the most work that a kill can lose (default: 5)");
  return [&app, wanted] { return execute(app, *wanted); };
}

}  // namespace

Command train_command() {
  return {"train",
          "Trains a policy and writes it, with its metrics, to a run directory.",
          {"ndnf train examples/two-rooms.json", "ndnf train taxi:factored --seeds 0..9",
           "ndnf train cart-pole --model rules --max-literals 4", "ndnf train blackjack-ndnf-mt --seed 1",
           "ndnf train taxi:factored --teacher optimal",
           "ndnf train small-corridor-wall-ndnf-mt --seeds 0..15 --jobs 2",
           "ndnf train taxi-mlp --set ppo.ent_coef=0.05 --out runs/mine", "ndnf train taxi-mlp --resume",
           "ndnf train blackjack-ndnf-mt --shield examples/shields/never-bust.lp --out runs/shielded",
           "ndnf train blackjack-ndnf-mt --init policy.lp --lock 'action(hit)'",
           "mpirun -n 8 ndnf train blackjack-ndnf-mt --seeds 0..99"},
          prepare_train};
}

}  // namespace ndnf::cli
