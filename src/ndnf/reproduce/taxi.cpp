// The numbers in the text of Section sec:taxi-env: start states from which a program cannot finish.
#include <algorithm>

#include "ndnf/pieces/runs.h"
#include "ndnf/reproduce/all_experiments.h"
#include "ndnf/reproduce/comparison.h"
#include "ndnf/reproduce/paper_figures.h"

namespace ndnf {
namespace {

const char* const kTaxiPreset = "paper/taxi-distill-ndnf-mt";
constexpr double kNoticed = 1e-6;  // the paper evaluates a run by 10⁶ episodes

std::vector<Piece> taxi_pieces(const Effort& effort) {
  const Study study = study_of(kTaxiPreset, effort);
  std::vector<Piece> all = train_pieces(study);
  append(all, extract_pieces(study));
  return all;
}

/// The number of runs with a value above this.
Share above(const Sample& sample, double least) {
  const auto n =
      std::count_if(sample.values.begin(), sample.values.end(), [&](double value) { return value > least; });
  return {static_cast<std::size_t>(n), sample.values.size()};
}

std::string stuck_verdict(const Sample& stuck) {
  if (stuck.values.size() < 2) return "one run";
  return to_text(
      judge(stuck.estimate(), {paper::kTaxiStuckStarts, stuck.error()}, paper::kStuckRounding, false));
}

/// The row of a policy; rows of programs also have the paper's numbers.
std::vector<Cell> row(const std::string& policy, const Results& results,
                      const std::vector<std::string>& names, const std::string& where, bool compared) {
  const Sample stuck = collect(results, names, where + "/stuck_starts");
  Sample truncated = collect(results, names, where + "/sample/terminated");
  for (double& p : truncated.values) p = 1 - p;
  const Share runs = above(truncated, kNoticed);
  const Share theirs{paper::kTaxiTruncatedRuns, paper::kTaxiRuns};
  compared = compared && !stuck.empty();
  return {{policy},
          stuck.empty() ? Cell::none() : Cell::estimate(stuck.mean(), stuck.error(), 1),
          compared ? Cell::number(paper::kTaxiStuckStarts, 1) : Cell::none(),
          compared ? Cell{stuck_verdict(stuck)} : Cell::none(),
          Cell::share(above(stuck, 0).some, stuck.values.size()),
          Cell::share(runs.some, runs.all),
          compared ? Cell::share(theirs.some, theirs.all) : Cell::none(),
          compared ? Cell{to_text(judge(runs, theirs, false))} : Cell::none(),
          truncated.empty() ? Cell::none() : Cell::number(100 * truncated.mean(), 4)};
}

std::vector<Block> show_taxi(const Effort& effort, const Results& results) {
  const Study study = study_of(kTaxiPreset, effort);
  Table table{"taxi",
              {{"policy", "policy", false},
               {"stuck_starts", "stuck starts of 300, argmax"},
               {"paper_stuck_starts", "paper"},
               {"stuck_verdict", "verdict", false},
               {"stuck_runs", "runs with a stuck start"},
               {"truncated_runs", "runs with truncated episodes, sampled"},
               {"paper_truncated_runs", "paper"},
               {"truncated_verdict", "verdict", false},
               {"truncated", "truncated episodes, sampled, %"}}};
  table.add(row("neural DNF-MT, distilled", results, train_names(study), "/measures", false));
  table.add(row("ProbLog program, the paper's way", results, extract_names(study), "/threshold", true));
  table.add(row("ProbLog program, ndnf's way", results, extract_names(study), "/measures", true));
  return {Paragraph{"*Stuck*: from this start the policy does not reach its end within 200 steps. A run has "
                    "truncated episodes if more than one is expected in the paper's 10⁶. The paper gives its "
                    "stuck starts no error, so ours is taken for both."},
          table,
          Paragraph{"The paper's way chooses its threshold as the authors' code does for Taxi: of those that "
                    "leave every start an end by argmax, the one that changes the fewest best actions. The "
                    "authors give a run up if no threshold does so in 100 sampled episodes. Here all starts "
                    "count, and where no threshold leaves each an end, the fewest changes decide: these are "
                    "the runs with a stuck start."}};
}

}  // namespace

Experiment taxi_experiment() { return {"taxi", "Taxi: starts without an end", taxi_pieces, show_taxi}; }

}  // namespace ndnf
