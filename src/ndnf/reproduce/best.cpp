// Not in the paper: how far training can be taken, with a goal for every row.
#include <algorithm>

#include <fmt/format.h>

#include "ndnf/pipeline/presets.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/runs.h"

namespace ndnf {
namespace {

constexpr std::uint64_t kFirstSeed = 1000;  // none of those that presets were tuned with

/// What a preset is meant to reach, on average over its seeds, by the network and by its program.
struct Goal {
  std::string task;
  std::string preset;
  std::string select;
  double goal;
  int digits;
  std::string paper;  ///< What the paper's neural DNF-MT reaches.

  std::string as() const { return select == "argmax" ? "asp" : "problog"; }
};

const std::vector<Goal>& all_goals() {
  static const std::vector<Goal> kGoals = {
      {"SC", "paper/small-corridor-ndnf-mt", "argmax", -3, 3, "-3.000"},
      {"LC-5", "paper/long-corridor-5-ndnf-mt", "argmax", -4, 3, "-4.000"},
      {"LC-11", "paper/long-corridor-11-ndnf-mt", "argmax", -4, 3, "-4.000"},
      {"SC, wall", "best/small-corridor-wall-ndnf-mt", "sample", -9.000, 3, "-9.336"},
      {"LC-5, wall", "best/long-corridor-5-wall-ndnf-mt", "sample", -13.42, 3, "-14.212"},
      {"LC-11, wall", "best/long-corridor-11-wall-ndnf-mt", "sample", -16.52, 3, "-17.433"},
      {"Blackjack", "best/blackjack-ndnf-mt", "argmax", -0.0435, 4, "-0.050"},
      {"Blackjack", "best/blackjack-ndnf-mt", "sample", -0.0440, 4, "-0.068"},
      {"Taxi, one-hot, PPO", "best/taxi-ndnf-mt", "argmax", 7.928, 3, "could not be trained"},
      {"Taxi, one-hot, PPO", "best/taxi-ndnf-mt", "sample", 7.92, 3, "could not be trained"},
      {"Taxi, factored, PPO", "best/taxi-factored-ndnf-mt", "argmax", 7.928, 3, "could not be trained"},
      {"Taxi, factored, PPO", "best/taxi-factored-ndnf-mt", "sample", 7.91, 3, "could not be trained"},
      {"Taxi, distilled", "best/taxi-distill-ndnf-mt", "argmax", 7.92, 3, "7.926"},
      {"Taxi, distilled", "best/taxi-distill-ndnf-mt", "sample", 7.85, 3, "7.424"},
      {"Door Corridor", "best/door-corridor-ndnf-mt", "argmax", -8, 3, "26 of 32 runs"},
      {"Blackjack, small", "best/blackjack-small-ndnf-mt", "argmax", -0.0432, 4, "–"},
      {"Blackjack, small", "best/blackjack-small-ndnf-mt", "sample", -0.0432, 4, "201 disjunctions"},
  };
  return kGoals;
}

/// Those whose presets exist.
std::vector<Goal> goals() {
  std::vector<Goal> known;
  for (const Goal& goal : all_goals()) {
    const auto& all = presets();
    if (std::any_of(all.begin(), all.end(),
                    [&](const Preset& preset) { return preset.name == goal.preset; })) {
      known.push_back(goal);
    }
  }
  return known;
}

Study study_for(const Goal& goal, const Effort& effort) {
  return study_of(goal.preset, effort, goal.preset.starts_with("best/") ? kFirstSeed : 0);
}

std::vector<Piece> pieces(const Effort& effort) {
  std::vector<Piece> all;
  for (const Goal& goal : goals()) {
    const Study study = study_for(goal, effort);
    for (Piece& piece : train_pieces(study)) all.push_back(std::move(piece));
    for (Piece& piece : extract_pieces(study, goal.as())) all.push_back(std::move(piece));
  }
  return all;
}

/// Means are compared as they are printed: the goals are printed figures too.
bool reaches(const Sample& returns, std::size_t seeds, const Goal& goal) {
  const double rounding = goal.digits == 4 ? 5e-5 : 5e-4;
  return returns.values.size() == seeds && returns.mean() >= goal.goal - rounding;
}

std::vector<Block> show(const Effort& effort, const Results& results) {
  Table table{"best",
              {{"task", "task", false},
               {"preset", "preset", false},
               {"select", "picked by", false},
               {"seeds", "seeds"},
               {"network", "network"},
               {"worst", "worst seed"},
               {"program", "program"},
               {"size", "rules or annotated disjunctions"},
               {"paper", "paper"},
               {"goal", "goal"},
               {"reached", "reached", false}}};
  for (const Goal& goal : goals()) {
    const Study study = study_for(goal, effort);
    const auto programs = extract_names(study, goal.as());
    const Sample network =
        collect(results, train_names(study), fmt::format("/measures/{}/return", goal.select));
    const Sample program = collect(results, programs, "/return_program");
    const Sample size =
        collect(results, programs, goal.as() == "asp" ? "/action_rules" : "/annotated_disjunctions");
    table.add(
        {{goal.task},
         {fmt::format("`{}`", goal.preset)},
         {goal.select},
         Cell::count(study.seeds),
         Cell::estimate(network.mean(), network.error(), goal.digits),
         Cell::number(network.least(), goal.digits),
         program.empty() ? Cell::none() : Cell::estimate(program.mean(), program.error(), goal.digits),
         size.empty() ? Cell::none() : Cell::number(size.mean(), 1),
         {goal.paper},
         Cell::number(goal.goal, goal.digits),
         {reaches(network, study.seeds, goal) && reaches(program, study.seeds, goal) ? "yes" : "*no*"}});
  }
  return {Paragraph{fmt::format(
              "Presets below `best/` change the paper's settings to get further; their seeds are {}, {}, …, "
              "none of them used "
              "for tuning. Network and program must both reach the goal on average over all seeds.",
              kFirstSeed, kFirstSeed + 1)},
          table};
}

}  // namespace

Experiment best_experiment() { return {"best", "Beyond the paper", pieces, show}; }

}  // namespace ndnf
