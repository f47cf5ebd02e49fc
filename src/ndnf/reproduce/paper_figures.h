#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/report/estimate.h"

// The numbers printed in the paper, as data. Labels are those of its LaTeX source.
namespace ndnf::paper {

/// A row of Table `tab:rl-performance` (the same as Figure `fig:rl-results`), and what we compare it with.
struct Return {
  std::string task;
  std::string model;
  std::string preset;
  std::string select;
  bool program = false;              ///< The row is about programs extracted from the preset's networks.
  std::optional<Estimate> figure{};  ///< Empty if the paper has no such row.
  std::size_t seeds = 0;             ///< The number of our runs; 0: that of the preset.
  std::size_t teachers = 1;          ///< The number of teachers to distil from.
};
const std::vector<Return>& returns();

/// The λ4 printed in Appendix `appendix:add-exp-switcheroo`, and the one that its runs are likely to have
/// used.
inline constexpr const char* kPrintedL4 = "1e-3";
inline constexpr const char* kLikelyL4 = "1e-4";

/// Half a unit of the last digit of the returns, of the rates of Table `tab:blackjack-rl-win-rate`, and of
/// the stuck starts.
inline constexpr double kReturnRounding = 0.0005;
inline constexpr double kRateRounding = 0.00005;
inline constexpr double kStuckRounding = 0.05;

/// A row of Table `tab:blackjack-rl-win-rate`.
struct Blackjack {
  std::string model;
  std::string preset;  ///< "" for Sutton and Barto's table.
  std::string select;
  bool program = false;
  Estimate win;
  std::optional<Estimate> divergence{};
};
const std::vector<Blackjack>& blackjack();

/// Numbers in the text of Section `sec:taxi-env`, over ten programs.
inline constexpr double kTaxiStuckStarts = 3.3;
inline constexpr std::size_t kTaxiTruncatedRuns = 2;
inline constexpr std::size_t kTaxiRuns = 10;

/// Section `sec:door-corridor`.
inline constexpr std::size_t kDoorRuns = 32;
inline constexpr std::size_t kDoorFinishing = 26;
inline constexpr std::size_t kDoorPrograms = 25;

/// Listing `code:blackjack-ndnf-mt-3191-problog`.
inline constexpr std::size_t kBlackjackRules = 37;
inline constexpr std::size_t kBlackjackDisjunctions = 201;

/// A row of Table `tab:run-time-cmp`.
struct RunTime {
  std::string task;
  std::string model;
  std::string key;                  ///< The key of our measurement.
  std::optional<double> seconds{};  ///< Per episode; empty if it timed out or there is no such row.
  std::string remark{};
};
const std::vector<RunTime>& run_times();

/// The text of Appendix `appendix:add-disc-run-time`: a Blackjack program evaluated by ProbLog.
inline constexpr std::size_t kTimedDisjunctions = 58;
inline constexpr std::size_t kTimedInferences = 380;
inline constexpr double kTimedSeconds = 2652.212;

/// Table `tab:dc-2501-failed-case`: c_0, c_7, c_9, c_11, ŷ_1, ŷ_2, ŷ_3, before and after thresholding.
inline const std::vector<std::vector<double>> kFailingRun = {{1.00, -0.51, 0.92, -0.78, 1.00, -1.00, -0.86},
                                                             {1.00, -1.00, 1.00, -1.00, 1.00, -1.00, 1.00}};

/// Table `tab:dc-optimal-policy`.
struct OptimalActions {
  std::string task;
  std::string env;
  std::vector<std::size_t> actions;
};
const std::vector<OptimalActions>& optimal_actions();

/// A listing, stored in a file of examples/.
struct ListedProgram {
  std::string label;   ///< Of the listing.
  std::string file;    ///< Below examples/.
  std::string preset;  ///< The preset whose programs it is compared with; "" for an edited program.
};
const std::vector<ListedProgram>& listings();

}  // namespace ndnf::paper
