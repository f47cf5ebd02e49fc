#include "ndnf/training/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/fingerprint.h"
#include "ndnf/base/parallel.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/logic/shield.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/endless_optimum.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/rules/rule_policy.h"
#include "ndnf/simulation/simulate.h"
#include "ndnf/training/build_info.h"
#include "ndnf/training/learner.h"
#include "ndnf/training/return_json.h"
#include "ndnf/training/run_directory.h"
#include "ndnf/training/training_task.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The episodes that estimate the return of a run whose task has no finite model.
constexpr std::size_t kReportedEpisodes = 1000;

/// The expected return of a run's policy: exact for a finite task, otherwise sampled.
Expectation return_of(const Checkpoint& checkpoint, const Task& task, const ActionMask* mask) {
  const auto policy = policy_of(checkpoint, mask);
  if (!task.is_finite()) {
    const SamplingOptions options{kReportedEpisodes, checkpoint.seed, 1, nullptr, task.discount};
    return evaluate_by_simulation(task.environments, *policy, checkpoint.select, options).expected_return();
  }
  const PolicyTable rows = tabulate(*policy, task.model().observations());
  return evaluate_exactly(task.model(), select(rows, checkpoint.select, mask)).expected_return();
}

/// That of the rules that a search has picked: exact for a finite task, otherwise as the search has measured
/// it in the end.
Expectation return_of(const LearnedRules& learned, const Task& task) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (learned.front.entries.empty()) return {kUnknown, kUnknown};
  const FrontEntry& pick = learned.front.pick();
  if (!task.is_finite()) return {pick.figures.mean, pick.figures.error, pick.figures.episodes};
  const RulePolicy policy(pick.list, learned.features);
  return evaluate_exactly(task.model(), tabulate(policy, task.model().observations())).expected_return();
}

/// A fingerprint of the probabilities rounded to nine decimals: other builds may differ in a teacher's last
/// digits.
std::string fingerprint_of(const PolicyTable& policy) {
  std::string text;
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    for (const double p : policy.row(obs)) text += fmt::format("{:.9f} ", p);
  }
  return fingerprint(text);
}

std::vector<RunDirectory::Input> inputs_of(const TrainConfig& config, const LearningTask& learning) {
  std::vector<RunDirectory::Input> inputs;
  if (!learning.task.source.empty()) inputs.push_back({"env", config.run.env, learning.task.fingerprint()});
  if (learning.lessons != nullptr)
    inputs.push_back({"teacher", config.distill.teacher, fingerprint_of(learning.lessons->teacher)});
  if (!learning.rules_teacher_print.empty())
    inputs.push_back({"teacher", config.rules.teacher, learning.rules_teacher_print});
  return inputs;
}

/// One run: its directory, its settings and its progress.
class Run {
 public:
  Run(const TrainRequest& request, TrainConfig config, const Task& task, const fs::path& folder)
      : request_(request), config_(std::move(config)), directory_(folder) {
    directory_.check(config_, task, request.resume);
  }

  const TrainConfig& config() const { return config_; }
  std::string folder() const { return directory_.path().string(); }
  void set_listener(std::unique_ptr<TrainingListener> listener) { listener_ = std::move(listener); }
  bool finished() const { return finished_; }
  bool new_episodes() const { return new_episodes_; }
  const RunDirectory::Standing& standing() const { return standing_; }

  /// Trains to the end, or until the request's `stop` returns true, and saves. Returns the policy.
  Learned train(const LearningTask& learning) {
    inputs_ = inputs_of(config_, learning);
    const std::optional<TensorFile> state = directory_.saved_state(config_, inputs_);
    const bool goes_on = state && hot();
    Learner learner = make_learner(
        config_, learning,
        goes_on ? std::optional(resumed_starting_point(config_, *learning.task.observations(), *state))
                : std::nullopt);
    if (state) {
      standing_ = directory_.standing(*state);
      learner.trainer->restore(directory_.state_file().string(), *state);
      new_episodes_ = learner.trainer->began_new_episodes() && !learner.trainer->done();
    }
    if (!state || !learner.trainer->done()) go_on(learner, learning, state);
    finished_ = learner.trainer->done();
    return learner.learned(standing_.steps);
  }

 private:
  bool stopped() const { return request_.stop && request_.stop(); }
  bool hot() const { return !config_.init.policy.empty(); }

  void go_on(Learner& learner, const LearningTask& learning, const std::optional<TensorFile>& state) {
    directory_.lock();
    if (directory_.saved_state(config_, inputs_) != state)
      throw Error(folder(), "another process has just trained there", "resume with " + argument("resume"));
    directory_.open(config_, learning.task, state);
    if (!state && hot()) save(learner);
    advance(learner, learning);
    directory_.close();
  }

  void advance(Learner& learner, const LearningTask& learning) {
    const Stopwatch watch;
    const double before = standing_.seconds;
    double saved_at = 0;
    while (!learner.trainer->done() && !stopped()) {
      IterationReport report = iterate(*learner.trainer);
      standing_.iteration = report.iteration;
      standing_.steps = report.steps;
      standing_.seconds = before + watch.seconds();
      if (config_.eval.every > 0 && report.iteration % static_cast<std::size_t>(config_.eval.every) == 0) {
        const Learned learned = learner.learned(standing_.steps);
        const double exact = return_of(std::get<Checkpoint>(learned), learning.task, learning.mask).value;
        if (std::isfinite(exact)) report.exact_return = exact;  // a policy that may never end has none
      }
      tell(report);
      if (watch.seconds() - saved_at < request_.checkpoint_seconds) continue;
      save(learner);
      saved_at = watch.seconds();
    }
    save(learner);
  }

  IterationReport iterate(Trainer& trainer) const {
    try {
      return trainer.iterate();
    } catch (const Error& error) {
      throw Error(folder(), error.what());
    }
  }

  void tell(const IterationReport& report) {
    directory_.metrics().on_iteration(report, standing_.seconds);
    directory_.events().on_iteration(report, standing_.seconds);
    if (listener_) listener_->on_iteration(report, standing_.seconds);
  }

  void save(const Learner& learner) {
    directory_.save(config_, inputs_, learner.learned(standing_.steps), learner.trainer->state(), standing_);
    if (listener_) listener_->on_checkpoint();
  }

  const TrainRequest& request_;
  const TrainConfig config_;
  RunDirectory directory_;
  std::unique_ptr<TrainingListener> listener_;
  std::vector<RunDirectory::Input> inputs_;
  RunDirectory::Standing standing_;
  bool finished_ = false;
  bool new_episodes_ = false;
};

/// The output folder. A `preset` in a file may name only a folder below runs/.
fs::path folder_for(const TrainRequest& request, const TrainConfig& config) {
  if (request.out) return *request.out;
  const fs::path preset = config.run.preset;
  const fs::path name = preset.extension() == ".toml" ? preset.stem() : preset;
  const auto leaves = [](const fs::path& part) { return part.empty() || part == "." || part == ".."; };
  if (name.empty() || name.is_absolute() || std::any_of(name.begin(), name.end(), leaves)) {
    throw Error(request.source.name,
                fmt::format("preset = {} is not the name of a folder below runs", to_text(preset.string())),
                "choose a folder with " + argument("out"));
  }
  return fs::path("runs") / name;
}

fs::path folder_for(const TrainRequest& request, const TrainConfig& config, std::uint64_t seed) {
  const fs::path out = folder_for(request, config);
  if (!request.folder_per_seed) return out;
  const fs::path folder = out / fmt::format("seed-{}", seed);
  require_own_folder(folder);
  return folder;
}

std::vector<std::uint64_t> seeds_of(const TrainRequest& request, const TrainConfig& config) {
  if (!request.seeds.empty()) return request.seeds;
  return {static_cast<std::uint64_t>(config.run.seed)};
}

/// A preset is a file, and so is the configuration of a run.
NamedBy namer_of_task(const std::vector<std::string>& settings) {
  const auto is_task = [](const std::string& setting) { return setting.starts_with("env="); };
  return std::any_of(settings.begin(), settings.end(), is_task) ? NamedBy::kUser : NamedBy::kFile;
}

/// The settings with the environment's full name, and the environment.
using Loaded = std::pair<TrainConfig, Task>;

Loaded load(const Input& source, const std::vector<std::string>& settings) {
  TrainConfig config = load_train_config(source, settings);
  Task task = training_task(source, config, namer_of_task(settings));
  config.run.env = task.spec;
  return {std::move(config), std::move(task)};
}

Loaded load(const TrainRequest& request) {
  TrainConfig config = load_train_config(request.source, request.settings);
  std::optional<fs::path> resumed;
  if (request.resume) resumed = folder_for(request, config, seeds_of(request, config).front());
  Task task = request.task ? *request.task
                           : training_task(request.source, config, namer_of_task(request.settings), resumed);
  config.run.env = task.spec;
  if (request.shield) config.run.shield = read_shield_file(*request.shield);
  return {std::move(config), std::move(task)};
}

/// The actions that the environment offers and the shield allows.
std::optional<ActionMask> mask_of(const TrainRequest& request, const TrainConfig& config, const Task& task) {
  if (!task.is_finite()) return std::nullopt;  // require_model_for refuses a shield
  std::optional<ActionMask> shield;
  const std::string name = request.shield ? request.shield->name : config.run.preset + ": shield";
  if (request.shield || !config.run.shield.empty())
    shield = read_shield(name, config.run.shield, task.model().observations());
  return allowed_actions(name, task.model(), shield);
}

std::vector<Run> plan(const TrainRequest& request, const TrainConfig& config, const Task& task) {
  if (request.folder_per_seed && !request.resume)
    RunDirectory(folder_for(request, config)).check(config, task, false);
  std::vector<Run> runs;
  for (const std::uint64_t seed : seeds_of(request, config)) {
    TrainConfig own = config;
    own.run.seed = static_cast<std::int64_t>(seed);
    runs.emplace_back(request, std::move(own), task, folder_for(request, config, seed));
  }
  return runs;
}

void listen(const TrainRequest& request, const std::string& title, std::vector<Run>& runs) {
  if (!request.listener) return;
  for (Run& run : runs) run.set_listener(request.listener(title, runs.size()));
}

/// Whether the teacher is a preset to be trained, not an existing policy.
bool is_source(const std::string& teacher) {
  if (teacher.ends_with(".toml")) return true;
  return teacher != "optimal" && teacher != "uniform" && !teacher.ends_with(".json") && !fs::exists(teacher);
}

/// Of the episodes that teachers play: all runs of a training learn from the same ones.
std::uint64_t teacher_seed(const TrainConfig& config) {
  return static_cast<std::uint64_t>(config.distill.teacher_seed);
}

/// Trains the teacher that the config names, under the same shield. Empty if it was stopped.
std::optional<Lessons> train_teacher(const TrainRequest& request, const TrainConfig& config,
                                     const fs::path& out, const Task& task, const ActionMask* mask) {
  auto [own_config, own_task] = load(config.distill.teacher, {});
  own_config.run.seed = config.distill.teacher_seed;
  if (own_config.run.method == "distill")
    throw Error(config.distill.teacher, "is itself a distillation", "name its teacher instead");
  own_config.run.shield = config.run.shield;
  const std::optional<ActionMask> own_mask = mask_of(request, own_config, own_task);
  std::vector<Run> runs;
  require_own_folder(out / kTeacherFolder);
  runs.emplace_back(request, std::move(own_config), own_task, out / kTeacherFolder);
  listen(request, kTeacherFolder, runs);
  const Learned learned = runs[0].train({own_task, nullptr, own_mask ? &*own_mask : nullptr});
  if (!runs[0].finished()) return std::nullopt;
  const Checkpoint* const network = std::get_if<Checkpoint>(&learned);
  if (network == nullptr)
    throw Error(config.distill.teacher, "learns rules", "name the program of such a run");
  const Checkpoint& checkpoint = *network;
  check_fits(config.distill.teacher, checkpoint, *task.observations());
  const auto policy = policy_of(checkpoint, mask);
  if (!task.is_finite()) return lessons_of(*policy, task, config.distill, teacher_seed(config));
  return lessons_of(tabulate(*policy, task.model().observations()), task.model(), config.distill);
}

/// What the config's or the request's teacher teaches; empty if its own training was stopped.
std::optional<Lessons> lessons_for(const TrainRequest& request, const TrainConfig& config,
                                   const fs::path& out, const Task& task,
                                   const std::optional<ActionMask>& shield) {
  const std::string& source = config.distill.teacher;
  const std::uint64_t seed = teacher_seed(config);
  if (request.teacher) {
    Lessons lessons = request.teacher(task, config.distill, seed);
    if (shield) lessons.teacher = shield->apply(lessons.teacher);
    return lessons;
  }
  if (is_source(source)) return train_teacher(request, config, out, task, shield ? &*shield : nullptr);
  const PolicySource teacher(source);
  if (task.is_finite()) return lessons_of(teacher.in(task, shield).table, task.model(), config.distill);
  return lessons_of(*teacher.policy(task), task, config.distill, seed);
}

/// Reports settings that need the finite model of a task that has none, before any file is changed.
void require_model_for(const TrainConfig& config, const Task& task) {
  if (task.is_finite()) return;
  const auto refuse = [&](const std::string& what) {
    throw Error(task.spec, what + " needs the states of the task, which cannot be enumerated",
                "it can be learned by ppo, with a critic that is a network, or by distill");
  };
  if (config.run.method != "ppo" && config.run.method != "distill" && config.run.method != "rules")
    refuse(fmt::format("method = \"{}\"", config.run.method));
  if (config.eval.every > 0) refuse("eval.every");
  if (config.finish.steps > 0) refuse("finish.steps");
  if (config.critic.model == "table") refuse("critic.model = \"table\"");
  if (!config.init.policy.empty() && config.encoder.model != "thresholds") refuse("init.policy");
  if (!config.run.shield.empty()) refuse("shield");
}

/// The optimum, unless it would take long. Throws Error if there is none: then there is nothing to learn.
std::optional<BestReturn> optimum_of(const Task& task) {
  if (!task.is_finite() || !is_optimum_cheap(task.model())) return std::nullopt;
  try {
    return find_optimum(task.model()).best_return();
  } catch (const NoOptimum& none) {
    throw Error(task.spec, none.complaints().front().what, none.complaints().front().hint);
  }
}

TrainedRun result_of(const Run& run, const Learned& learned, const Task& task, const ActionMask* mask,
                     const std::optional<BestReturn>& optimum) {
  const RunDirectory::Standing& standing = run.standing();
  TrainedRun result;
  result.run = run.folder();
  result.preset = run.config().run.preset;
  result.env = task.spec;
  result.seed = static_cast<std::uint64_t>(run.config().run.seed);
  result.iterations = standing.iteration;
  result.steps = standing.steps;
  result.seconds = standing.seconds;
  result.finished = run.finished();
  result.optimum = optimum;
  result.begun_by = standing.begun_by;
  result.new_episodes = run.new_episodes();
  if (const auto* rules = std::get_if<LearnedRules>(&learned)) {
    result.select = Selection{Selection::Kind::kArgmax, 0}.to_string();
    result.mean_return = return_of(*rules, task);
    result.rules = *rules;
  } else {
    const auto& checkpoint = std::get<Checkpoint>(learned);
    result.select = checkpoint.select.to_string();
    result.mean_return = return_of(checkpoint, task, mask);
  }
  return result;
}

}  // namespace

std::vector<TrainedRun> train(const TrainRequest& request) {
  const auto [config, task] = load(request);
  const std::optional<ActionMask> shield = mask_of(request, config, task);
  const ActionMask* const mask = shield ? &*shield : nullptr;
  const fs::path out = folder_for(request, config);
  require_model_for(config, task);
  const Task reported = with_discount(task, request.discount);
  const std::optional<BestReturn> optimum = optimum_of(reported);
  std::vector<Run> runs = plan(request, config, task);
  if (request.until == TrainRequest::Until::kChecked) return {};
  std::optional<Lessons> lessons;
  if (config.run.method == "distill") {
    lessons = lessons_for(request, config, out, task, shield);
    if (!lessons) return {};
  }
  if (request.until == TrainRequest::Until::kTaught) return {};
  listen(request, "training", runs);
  LearningTask learning{reported, lessons ? &*lessons : nullptr, mask, nullptr, 1};
  if (config.run.method == "rules") {
    const bool asked = static_cast<bool>(request.rules_teacher);
    learning.rules_teacher = asked ? request.rules_teacher(reported) : given_teacher(config, reported);
    if (!asked && !config.rules.teacher.empty())
      learning.rules_teacher_print = fingerprint(PolicySource(config.rules.teacher).bytes());
    learning.jobs = std::max<std::size_t>(1, request.jobs / runs.size());
  }
  std::vector<std::optional<TrainedRun>> results(runs.size());
  parallel_for(runs.size(), request.jobs, [&](std::size_t i) {
    if (request.stop && request.stop()) return;
    const Learned learned = runs[i].train(learning);
    results[i] = result_of(runs[i], learned, reported, mask, optimum);
  });
  std::vector<TrainedRun> trained;
  for (std::optional<TrainedRun>& result : results) {
    if (result) trained.push_back(std::move(*result));
  }
  return trained;
}

std::vector<TrainedRun> train_on(Ranks& ranks, const TrainRequest& request) {
  if (ranks.size() == 1) return train(request);
  TrainRequest own = request;
  own.until = TrainRequest::Until::kChecked;
  train(own);
  ranks.wait_for_all();  // no rank writes a file before all have checked
  own.resume = true;
  own.until = TrainRequest::Until::kTaught;
  if (ranks.first()) train(own);
  ranks.wait_for_all();
  own.until = TrainRequest::Until::kTrained;
  own.seeds.clear();
  for (std::size_t i = ranks.rank(); i < request.seeds.size(); i += ranks.size()) {
    own.seeds.push_back(request.seeds[i]);
  }
  if (!own.seeds.empty() || ranks.first()) train(own);
  ranks.wait_for_all();
  if (!ranks.first()) return {};
  own.seeds = request.seeds;
  return train(own);  // all runs are finished: this only reads them
}

TrainConfig run_config(const Input& source, const std::vector<std::string>& settings, std::uint64_t seed) {
  TrainConfig config = load(source, settings).first;
  config.run.seed = static_cast<std::int64_t>(seed);
  return config;
}

std::optional<TrainConfig> teacher_config(const TrainConfig& config) {
  if (config.run.method != "distill" || !is_source(config.distill.teacher)) return std::nullopt;
  return run_config(config.distill.teacher, {}, static_cast<std::uint64_t>(config.distill.teacher_seed));
}

ReturnSummary summary_of(const std::vector<TrainedRun>& runs) {
  ReturnSummary summary;
  for (const TrainedRun& run : runs) summary.add(run.mean_return.value, run.optimum);
  return summary;
}

nlohmann::ordered_json to_json(const std::vector<TrainedRun>& runs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TrainedRun& run : runs) {
    list.push_back({{"run", run.run},
                    {"preset", run.preset},
                    {"env", run.env},
                    {"seed", run.seed},
                    {"iterations", run.iterations},
                    {"steps", run.steps},
                    {"seconds", run.seconds},
                    {"steps_per_second", run.steps_per_second()},
                    {"finished", run.finished},
                    {"select", run.select}});
    add_return(list.back(), run.mean_return);
    add_optimum(list.back(), run.optimum, run.mean_return.value);
    if (run.rules) add_front(list.back(), *run.rules);
    if (run.new_episodes) list.back()["new_episodes"] = true;
    if (run.begun_by != to_text(build_info())) list.back()["other_build"] = run.begun_by;
  }
  return list;
}

}  // namespace ndnf
