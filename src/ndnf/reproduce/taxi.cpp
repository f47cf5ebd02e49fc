// The figures in the text of Section sec:taxi-env: starts that a program cannot finish from.
#include <algorithm>

#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/paper_figures.h"
#include "ndnf/reproduce/runs.h"

namespace ndnf {
namespace {

const char* const kPreset = "paper/taxi-distill-ndnf-mt";
constexpr double kEpisodes = 1e6;  // the paper's evaluation of one run

std::vector<Piece> pieces(const Effort& effort) {
  const Study study = study_of(kPreset, effort);
  std::vector<Piece> all = train_pieces(study);
  append(all, extract_pieces(study));
  return all;
}

/// Runs that would show a truncated episode in the paper's evaluation: one is expected, or more.
std::size_t truncated_runs(const Sample& terminated) {
  return static_cast<std::size_t>(std::count_if(terminated.values.begin(), terminated.values.end(),
                                                [](double p) { return (1 - p) * kEpisodes >= 1; }));
}

std::vector<Block> show(const Effort& effort, const Results& results) {
  const Study study = study_of(kPreset, effort);
  Table table{"taxi",
              {{"policy", "policy", false},
               {"stuck_starts", "stuck starts of 300, argmax"},
               {"paper_stuck_starts", "paper"},
               {"difference", "difference"},
               {"truncated_runs", "runs with truncated episodes, sampled"},
               {"paper_truncated_runs", "paper"},
               {"truncated", "truncated episodes, sampled, %"}}};
  const auto add = [&](const std::string& policy, const std::vector<std::string>& names,
                       const std::string& where, bool compared) {
    const Sample stuck = collect(results, names, where + "/stuck_starts");
    const Sample finished = collect(results, names, where + "/sample/terminated");
    table.add({{policy},
               stuck.empty() ? Cell::none() : Cell::estimate(stuck.mean(), stuck.error(), 1),
               compared ? Cell::number(paper::kTaxiStuckStarts, 1) : Cell::none(),
               compared && !stuck.empty() ? Cell::difference(stuck.mean() - paper::kTaxiStuckStarts, 1)
                                          : Cell::none(),
               Cell::share(truncated_runs(finished), finished.values.size()),
               compared ? Cell::share(paper::kTaxiTruncatedRuns, paper::kTaxiRuns) : Cell::none(),
               finished.empty() ? Cell::none() : Cell::number(100 * (1 - finished.mean()), 4)});
  };
  add("neural DNF-MT, distilled", train_names(study), "/measures", false);
  add("ProbLog program, the paper's way", extract_names(study), "/threshold", true);
  add("ProbLog program, ndnf's way", extract_names(study), "/measures", true);
  return {Paragraph{"*Stuck*: from this start the policy does not reach its end within 200 steps. A run has "
                    "truncated episodes if "
                    "at least one is expected in the paper's 10⁶."},
          table};
}

}  // namespace

Experiment taxi_experiment() { return {"taxi", "Taxi: starts without an end", pieces, show}; }

}  // namespace ndnf
