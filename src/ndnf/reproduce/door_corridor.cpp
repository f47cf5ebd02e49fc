// Section sec:door-corridor: runs that finish, programs from them, the other two environments, and Table
// tab:dc-optimal-policy.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/env/registry.h"
#include "ndnf/mdp/optimum.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/listings.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/reproduce/runs.h"

namespace ndnf {
namespace {

const char* const kNetwork = "paper/door-corridor-ndnf-mt";
const char* const kMlp = "paper/door-corridor-mlp";
constexpr double kBest = -8;

/// The actions of the optimal policy from the start; Door Corridor leaves nothing to chance.
Json optimal_actions(const std::string& env) {
  const Environment environment = make_environment(env);
  const FiniteModel& model = environment.model;
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

std::vector<Piece> pieces(const Effort& effort) {
  std::vector<Piece> all;
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

double ratio(std::size_t some, std::size_t all) {
  return static_cast<double>(some) / static_cast<double>(std::max<std::size_t>(all, 1));
}

Table counts_table(const Effort& effort, const Results& results) {
  const Study study = study_of(kNetwork, effort);
  const auto runs = train_names(study);
  const auto programs = extract_names(study);
  std::size_t finishing = 0;
  std::size_t best = 0;
  std::size_t paper_way = 0;
  std::size_t our_way = 0;
  for (std::size_t i = 0; i < study.seeds; ++i) {
    const Json& measures = results.at(runs[i]).at("measures");
    if (!finishes(measures)) continue;
    ++finishing;
    best += measures.at("/argmax/return"_json_pointer) == kBest ? 1 : 0;
    paper_way += finishes(results.at(programs[i]).at("threshold")) ? 1 : 0;
    our_way += finishes(results.at(programs[i]).at("measures")) ? 1 : 0;
  }
  Table table{
      "counts",
      {{"what", "what", false}, {"ours", "ours"}, {"paper", "paper"}, {"difference", "difference, points"}}};
  const auto add = [&](const char* what, std::size_t ours, std::size_t of, std::size_t theirs,
                       std::size_t theirs_of) {
    table.add({{what},
               Cell::share(ours, of),
               Cell::share(theirs, theirs_of),
               Cell::difference(100 * (ratio(ours, of) - ratio(theirs, theirs_of)), 1)});
  };
  add("runs that finish", finishing, study.seeds, paper::kDoorFinishing, paper::kDoorRuns);
  add("of these, programs that finish, the paper's way", paper_way, finishing, paper::kDoorPrograms,
      paper::kDoorFinishing);
  add("of these, programs that finish, ndnf's way", our_way, finishing, paper::kDoorPrograms,
      paper::kDoorFinishing);
  add("runs with the best return, −8", best, study.seeds, paper::kDoorFinishing, paper::kDoorRuns);
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

std::vector<Block> show(const Effort& effort, const Results& results) {
  return {Paragraph{"A program counts as the paper counts it: exactly one action wherever it comes, and it "
                    "reaches the goal."},
          counts_table(effort, results),
          Paragraph{"Policies trained in Door Corridor (DC), taken to where the goal must be toggled from "
                    "the cell before it "
                    "(DC-T) or while standing on it (DC-OT). They see the same images."},
          variants_table(effort, results),
          Paragraph{"The best actions from the start (0 left, 1 right, 2 forward, 3 toggle):"},
          actions_table(results)};
}

}  // namespace

Experiment door_corridor_experiment() { return {"door-corridor", "Door Corridor", pieces, show}; }

}  // namespace ndnf
