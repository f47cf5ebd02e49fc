// Table tab:run-time-cmp: seconds per episode. Also the time of training and extraction.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "ndnf/base/random.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/distribution.h"
#include "ndnf/model/checkpoint.h"
#include "ndnf/pieces/runs.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/reproduce/problog_query.h"
#include "ndnf/simulation/table_env.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/system/file.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/run_directory.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEpisodes = 10'000;  // as many as the paper's
constexpr std::size_t kQuickEpisodes = 500;
constexpr std::size_t kParallel = 8;
constexpr std::size_t kClingoEpisodes = 50;

/// One task of the table. Models are those of the first seeds.
struct TimedTask {
  std::string name;
  std::string env;
  std::string table;  ///< Presets; "" for none.
  std::string mlp;
  std::string network;
  std::string as;   ///< Of the program.
  std::string way;  ///< The method of its extraction: the paper's if that finds a program for every run.
  std::size_t problog_episodes;
};

const std::vector<TimedTask>& tasks() {
  static const std::vector<TimedTask> kTasks = {
      {"Blackjack", "blackjack", "paper/blackjack-q-table", "paper/blackjack-mlp", "paper/blackjack-ndnf-mt",
       "problog", "threshold", 10},
      {"Taxi", "taxi:one-hot", "paper/taxi-q-table", "paper/taxi-mlp", "paper/taxi-distill-ndnf-mt",
       "problog", "threshold", 1},
      {"Door Corridor", "door-corridor", "", "paper/door-corridor-mlp", "paper/door-corridor-ndnf-mt", "asp",
       "auto", 0}};
  return kTasks;
}

std::size_t episodes(const Effort& effort) { return effort.quick ? kQuickEpisodes : kEpisodes; }

std::vector<std::string> presets_of(const TimedTask& task, const Effort& effort) {
  std::vector<std::string> presets;
  for (const std::string& preset : {task.table, task.mlp, task.network}) {
    if (!preset.empty() && !left_out(preset, effort)) presets.push_back(preset);
  }
  return presets;
}

ActionId pick(std::span<const double> row, const Selection& how, RandomSequence& random) {
  if (how.kind == Selection::Kind::kArgmax) return static_cast<ActionId>(most_probable(row));
  double left = random.uniform();
  for (ActionId a = 0; a + 1 < row.size(); ++a) {
    left -= row[a];
    if (left < 0) return a;
  }
  return static_cast<ActionId>(row.size() - 1);
}

/// Seconds per episode when the policy is evaluated at every step, in `width` environments at a time. `seen`
/// gets the observations in which it was evaluated; may be null.
double drive(const Policy& policy, const TransitionSampler& sampler, const Selection& how, std::size_t width,
             std::size_t episodes, std::vector<ObsId>* seen = nullptr) {
  TableEnv env(sampler, width);
  RandomSequence random(RandomStream(0, 1));
  const std::span<const ObsId> starts = env.reset(0);
  std::vector<ObsId> ids(starts.begin(), starts.end());
  std::vector<double> rows(width * policy.action_count());
  std::vector<ActionId> actions(width);
  std::size_t ended = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (ended < episodes) {
    if (seen != nullptr) seen->insert(seen->end(), ids.begin(), ids.end());
    policy.probabilities(env.observations(), ids, rows);
    for (std::size_t i = 0; i < width; ++i) {
      actions[i] =
          pick(std::span(rows).subspan(i * policy.action_count(), policy.action_count()), how, random);
    }
    const VectorStep step = env.step(actions);
    for (std::size_t i = 0; i < width; ++i)
      ended += step.terminated[i] != 0 || step.truncated[i] != 0 ? 1 : 0;
    ids.assign(step.observations.begin(), step.observations.end());
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return passed.count() / static_cast<double>(ended);
}

/// The program evaluated by the real clingo at every step.
class ClingoPolicy final : public Policy {
 public:
  ClingoPolicy(SolverText rules, std::size_t actions) : rules_(std::move(rules)), actions_(actions) {}
  std::size_t action_count() const override { return actions_; }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    const PolicyTable answer = evaluate_with_clingo(rules_, table, ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::copy(answer.row(ids[i]).begin(), answer.row(ids[i]).end(), rows.subspan(i * actions_).begin());
    }
  }

 private:
  SolverText rules_;
  std::size_t actions_;
};

/// Seconds per episode of the real ProbLog in the observations of a few episodes; null if it times out.
Json by_problog(const SolverText& rules, const ObservationTable& table, const std::vector<ObsId>& seen,
                std::size_t episodes, std::chrono::seconds limit) {
  std::vector<SolverText> programs;
  for (const ObsId obs : seen) programs.push_back(problog_query(rules, table, obs));
  double seconds = 0;
  for (const auto& answer : time_problog(programs, limit)) {
    if (!answer) return nullptr;
    seconds += answer->seconds;
  }
  return seconds / static_cast<double>(episodes);
}

Json by_solver(const TimedTask& task, const SolverText& rules, const Policy& program,
               const TransitionSampler& sampler, const ObservationTable& table, std::chrono::seconds limit) {
  if (task.as == "asp") {
    return drive(ClingoPolicy(rules, program.action_count()), sampler, Selection::parse("", "argmax"), 1,
                 kClingoEpisodes);
  }
  std::vector<ObsId> seen;
  drive(program, sampler, Selection{}, 1, task.problog_episodes, &seen);
  return by_problog(rules, table, seen, task.problog_episodes, limit);
}

Json measure_task(const TimedTask& task, const Effort& effort, std::chrono::seconds limit,
                  const fs::path& out) {
  const Task environment = make_task(task.env);
  const ObservationTable& table = environment.model().observations();
  const TransitionSampler sampler(environment.model());
  Json json = Json::object();
  const auto add = [&](const std::string& key, const std::string& preset, bool parallel) {
    if (preset.empty() || left_out(preset, effort)) return;
    const Checkpoint checkpoint =
        read_checkpoint(RunDirectory(out / run_folder(study_of(preset, effort), 0)).model_file());
    const auto policy = policy_of(checkpoint);
    json[key] = drive(*policy, sampler, checkpoint.select, 1, episodes(effort));
    if (parallel) json[key + "-8"] = drive(*policy, sampler, checkpoint.select, kParallel, episodes(effort));
  };
  add("table", task.table, false);
  add("mlp", task.mlp, true);
  add("ndnf-mt", task.network, true);
  const fs::path file = out / program_file(study_of(task.network, effort), 0, task.way, task.as);
  const BoundProgram program(read_program(file, table.vocabulary()), table.shared_vocabulary());
  json["program"] = drive(program, sampler, task.as == "asp" ? Selection::parse("", "argmax") : Selection{},
                          1, episodes(effort));
  json["solver"] = by_solver(task, PolicySource(file).for_solver(), program, sampler, table, limit);
  return json;
}

std::chrono::seconds run_time_limit(const Effort& effort) {
  return effort.quick ? std::chrono::seconds(2) : kProblogTimeLimit;
}

Piece task_piece(const TimedTask& task, const Effort& effort) {
  std::string inputs = build_text() + fmt::format("{} s", run_time_limit(effort).count());
  for (const std::string& preset : presets_of(task, effort))
    inputs += train_pieces(study_of(preset, effort)).back().inputs;
  return {"time/episodes/" + task.env.substr(0, task.env.find(':')), inputs, Stage::kTime, 30,
          [task, effort](const fs::path& out) {
            return measure_task(task, effort, run_time_limit(effort), out);
          }};
}

std::vector<Piece> run_time_pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const TimedTask& task : tasks()) {
    for (const std::string& preset : presets_of(task, effort)) {
      append(all, train_pieces(study_of(preset, effort)));
    }
    append(all, extract_pieces(study_of(task.network, effort)));
    all.push_back(task_piece(task, effort));
  }
  return all;
}

Table episodes_table(const Effort& effort, const Results& results) {
  Table table{"episodes",
              {{"task", "task", false},
               {"model", "model", false},
               {"ours", "seconds an episode"},
               {"paper", "paper"},
               {"factor", "paper / ours"},
               {"remark", "remark", false}}};
  for (const paper::RunTime& row : paper::run_times()) {
    const auto task =
        std::find_if(tasks().begin(), tasks().end(), [&](const TimedTask& t) { return t.name == row.task; });
    const Json& times = results.at(task_piece(*task, effort).name);
    const Json ours = times.contains(row.key) ? times.at(row.key) : Json();
    const auto figure = [](double value) { return Cell{fmt::format("{:.2g}", value), value}; };
    const auto factor = [](double value) { return Cell{fmt::format("{:.3g}", value), value}; };
    const bool timed_out = ours.is_null() && times.contains(row.key);
    table.add({{row.task},
               {row.model},
               ours.is_null()
                   ? Cell{timed_out ? fmt::format("a query > {} s", run_time_limit(effort).count()) : "–"}
                   : figure(ours.get<double>()),
               row.seconds ? figure(*row.seconds) : Cell::none(),
               row.seconds && !ours.is_null() ? factor(*row.seconds / ours.get<double>()) : Cell::none(),
               {row.remark}});
  }
  return table;
}

Table work_table(const Effort& effort, const Results& results) {
  Table table{"work",
              {{"preset", "preset", false},
               {"training", "seconds a training"},
               {"steps_per_second", "steps/s"},
               {"extraction", "seconds an extraction"}}};
  for (const TimedTask& task : tasks()) {
    for (const std::string& preset : presets_of(task, effort)) {
      const Study study = study_of(preset, effort);
      const Sample seconds = collect(results, train_names(study), "/seconds");
      const Sample steps = collect(results, train_names(study), "/steps");
      const bool extracted = preset == task.network;
      table.add({{fmt::format("`{}`", preset)},
                 Cell::number(seconds.mean(), 2),
                 Cell{fmt::format("{:.3g}", steps.mean() / seconds.mean()), steps.mean() / seconds.mean()},
                 extracted ? Cell::number(collect(results, extract_names(study), "/seconds").mean(), 2)
                           : Cell::none()});
    }
  }
  return table;
}

std::vector<Block> show_run_time(const Effort& effort, const Results& results) {
  return {
      Paragraph{fmt::format("Seconds per episode where the policy is asked at every step ({} episodes of "
                            "the first seed's policy, one core), beside the "
                            "paper's on a 10-core Apple M1 Pro. `problog` and `clingo` are the real ones: "
                            "ProbLog gets the program (the paper's way) and the observation as text, "
                            "start of Python not counted, {} s a query; clingo is started at every step. "
                            "`ndnf eval --episodes` asks once per distinct "
                            "observation and is faster still.",
                            episodes(effort), run_time_limit(effort).count())},
      episodes_table(effort, results),
      Paragraph{"What training and extraction took here, one per core, means over seeds; `make bench` "
                "measures speed:"},
      work_table(effort, results)};
}

}  // namespace

Experiment run_time_experiment() {
  return {"run-time", "Run time", run_time_pieces, show_run_time, require_problog};
}

}  // namespace ndnf
