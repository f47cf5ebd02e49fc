// Section sec:door-corridor: runs that finish, programs from them, the other two environments, and Table
// tab:dc-optimal-policy.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/optimum/optimum.h"
#include "ndnf/pieces/runs.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/comparison.h"
#include "ndnf/reproduce/listings.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

const char* const kNetwork = "paper/door-corridor-ndnf-mt";
const char* const kMlp = "paper/door-corridor-mlp";
constexpr double kBestReturn = -8;
constexpr std::size_t kManyRuns = 256;

/// The actions of the optimal policy from the start state; Door Corridor is deterministic.
Json optimal_actions(const std::string& env) {
  const Task environment = make_task(env);
  const FiniteModel& model = environment.model();
  const PolicyTable best = find_optimum(model).policy;
  Json actions = Json::array();
  StateId state = model.starts().front().state;
  for (std::size_t step = 0; step < model.horizon(); ++step) {
    const ActionId action = best.argmax(model.observation(state));
    actions.push_back(action);
    const Outcome& outcome = model.outcomes(state, action).front();
    if (outcome.terminal) break;
    state = outcome.next;
  }
  return actions;
}

Piece optimal_actions_piece(const std::string& env) {
  return {"measure/optimal-actions/" + env, build_text(), Stage::kTrain, 0.01,
          [env](const std::filesystem::path&) { return optimal_actions(env); }};
}

/// More runs than the paper's 32, so that its rates have error bars.
Study many_runs(const Effort& effort) {
  Study study = study_of(kNetwork, effort);
  if (!effort.quick) study.seeds = kManyRuns;
  return study;
}

/// The bias of the paper's last appendix, which the paper leaves to future work.
Study with_min_bias(const Effort& effort) {
  return with_settings(study_of(kNetwork, effort), "min-bias", {"actor.bias_type=\"min\""});
}

std::vector<std::string> paper_way_names(const Study& study) { return extract_names(study, "", kPaperWay); }

std::vector<Piece> door_corridor_pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const Study& study : {many_runs(effort), with_min_bias(effort)}) {
    append(all, train_pieces(study));
    append(all, extract_pieces(study, "", kPaperWay));
  }
  for (const paper::OptimalActions& row : paper::optimal_actions())
    all.push_back(optimal_actions_piece(row.env));
  for (const char* file : {"door-corridor/dc-t.lp", "door-corridor/dc-ot.lp"})
    all.push_back(listing_piece(file));
  for (const char* preset : {kMlp, kNetwork}) {
    append(all, train_pieces(study_of(preset, effort)));
  }
  append(all, extract_pieces(study_of(kNetwork, effort)));
  return all;
}

bool finishes(const Json& measures) {
  return !measures.is_null() && measures.at("/argmax/terminated"_json_pointer) == 1.0;
}

/// The result of a study: how many runs finish and with which return, and how many of these have a program
/// that finishes.
struct Counts {
  std::size_t runs = 0;
  std::size_t finishing = 0;
  std::size_t best = 0;
  std::size_t programs = 0;
};

/// `programs` are the pieces of the programs, and `way` the key of the measures in them.
Counts counts_of(const Study& study, const std::vector<std::string>& programs, const std::string& way,
                 const Results& results) {
  Counts counts;
  const auto runs = train_names(study);
  for (std::size_t i = 0; i < study.seeds; ++i) {
    const Json& measures = results.at(runs[i]).at("measures");
    ++counts.runs;
    if (!finishes(measures)) continue;
    ++counts.finishing;
    counts.best += measures.at("/argmax/return"_json_pointer) == kBestReturn ? 1 : 0;
    counts.programs += finishes(results.at(programs[i]).at(way)) ? 1 : 0;
  }
  return counts;
}

/// "26 of 32, 81 ± 7 %".
Cell rate_cell(const Share& share) {
  return {fmt::format("{} of {}, {:.0f} ± {:.0f} %", share.some, share.all, 100 * share.rate(),
                      100 * share.error()),
          static_cast<double>(share.some)};
}

/// One line of the table of rates.
struct Rate {
  std::string runs;
  std::string what;
  Share ours;
  std::optional<Share> paper;  ///< Empty if the paper has no such number.
};

const Share kFinishing{paper::kDoorFinishing, paper::kDoorRuns};
const Share kPrograms{paper::kDoorPrograms, paper::kDoorFinishing};

/// The results of a study for the paper's method, with the paper's numbers if it did the same.
std::vector<Rate> rates_of(const Study& study, const std::string& runs, bool compared,
                           const Results& results) {
  const Counts own = counts_of(study, paper_way_names(study), "threshold", results);
  const auto paper = [&](const Share& share) { return compared ? std::optional(share) : std::nullopt; };
  return {{runs, "runs that finish", {own.finishing, own.runs}, paper(kFinishing)},
          {runs, "runs with the best return, −8", {own.best, own.runs}, paper(kFinishing)},
          {runs,
           "of those that finish, programs that do, the paper's way",
           {own.programs, own.finishing},
           paper(kPrograms)}};
}

std::vector<Rate> all_rates(const Effort& effort, const Results& results) {
  const Study study = study_of(kNetwork, effort);
  const std::string runs = fmt::format("{}", study.seeds);
  std::vector<Rate> rates = rates_of(study, runs, true, results);
  const Counts ours = counts_of(study, extract_names(study), "measures", results);
  rates.push_back({runs,
                   "of those that finish, programs that do, ndnf's way",
                   {ours.programs, ours.finishing},
                   kPrograms});
  const auto append = [&](const std::vector<Rate>& more) {
    rates.insert(rates.end(), more.begin(), more.end());
  };
  if (!effort.quick) append(rates_of(many_runs(effort), fmt::format("{}", kManyRuns), true, results));
  append(rates_of(with_min_bias(effort), runs + ", `min` bias", false, results));
  return rates;
}

Table counts_table(const Effort& effort, const Results& results) {
  Table table{"counts",
              {{"runs", "runs", false},
               {"what", "what", false},
               {"ours", "ours"},
               {"paper", "paper"},
               {"difference", "difference, points"},
               {"verdict", "verdict", false}}};
  for (const Rate& rate : all_rates(effort, results)) {
    const auto& paper = rate.paper;
    table.add({{rate.runs},
               {rate.what},
               rate_cell(rate.ours),
               paper ? rate_cell(*paper) : Cell::none(),
               paper ? Cell::difference(100 * (rate.ours.rate() - paper->rate()), 1) : Cell::none(),
               paper ? Cell{to_text(judge(rate.ours, *paper))} : Cell::none()});
  }
  return table;
}

Table variants_table(const Effort& effort, const Results& results) {
  Table table{"variants",
              {{"policy", "policy", false},
               {"env", "task", false},
               {"finishing", "runs that finish"},
               {"return", "mean return"},
               {"paper", "paper", false}}};
  for (const char* env : {"door-corridor-t", "door-corridor-ot"}) {
    const std::string where = fmt::format("/variants/{}/argmax", env);
    for (const char* preset : {kMlp, kNetwork}) {
      const Study study = study_of(preset, effort);
      const Sample terminated = collect(results, train_names(study), where + "/terminated");
      const Sample returns = collect(results, train_names(study), where + "/return");
      const auto done =
          static_cast<std::size_t>(std::count(terminated.values.begin(), terminated.values.end(), 1.0));
      table.add(
          {{preset == std::string(kMlp) ? "MLP, trained on DC" : "neural DNF-MT, trained on DC, unedited"},
           {env},
           Cell::share(done, study.seeds),
           Cell::number(returns.mean(), 3),
           {preset == std::string(kMlp) ? "does not finish" : "–"}});
    }
    const std::string file =
        std::string("door-corridor/") + (env == std::string("door-corridor-t") ? "dc-t.lp" : "dc-ot.lp");
    const Json& listing = results.at(listing_piece(file).name);
    for (const char* figure : {"return", "compiled"}) {
      table.add({{figure == std::string("return") ? "the paper's edited program" : "the same as a network"},
                 {env},
                 Cell::share(1, 1),
                 Cell::number(listing.at(figure).get<double>(), 3),
                 {"fewest steps"}});
    }
  }
  return table;
}

Table actions_table(const Results& results) {
  Table table{"optimal_actions",
              {{"env", "task", false},
               {"ours", "best actions", false},
               {"paper", "paper", false},
               {"same", "same", false}}};
  for (const paper::OptimalActions& row : paper::optimal_actions()) {
    const auto ours = results.at(optimal_actions_piece(row.env).name).get<std::vector<std::size_t>>();
    table.add({{row.task},
               {fmt::format("{}", fmt::join(ours, " "))},
               {fmt::format("{}", fmt::join(row.actions, " "))},
               {ours == row.actions ? "yes" : "*no*"}});
  }
  return table;
}

std::vector<Block> show_door_corridor(const Effort& effort, const Results& results) {
  return {Paragraph{"A program counts as the paper counts it: exactly one action wherever it comes, and it "
                    "reaches the goal. ± is a binomial standard error. The paper has 32 runs; all that "
                    "finish have the best return there. Its last appendix proposes the `min` bias and has no "
                    "figures for it."},
          counts_table(effort, results),
          Paragraph{"Policies trained in Door Corridor (DC), taken to where the goal must be toggled from "
                    "the cell before it "
                    "(DC-T) or while standing on it (DC-OT). They see the same images."},
          variants_table(effort, results),
          Paragraph{"The best actions from the start (0 left, 1 right, 2 forward, 3 toggle):"},
          actions_table(results)};
}

}  // namespace

Experiment door_corridor_experiment() {
  return {"door-corridor", "Door Corridor", door_corridor_pieces, show_door_corridor};
}

}  // namespace ndnf
