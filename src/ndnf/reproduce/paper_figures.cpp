#include "ndnf/reproduce/paper_figures.h"

namespace ndnf::paper {

namespace {

/// With ten seeds the MLP's argmax row varies by 0.1, and the choice of the teacher moves its students by
/// 0.05.
constexpr std::size_t kTaxiSeeds = 30;
constexpr std::size_t kTeachers = 5;

}  // namespace

const std::vector<Return>& returns() {
  static const std::vector<Return> kRows = {
      {"SC MDP", "Q-table", "paper/small-corridor-q-table", "argmax", false, Estimate{-3.0, 0.0}},
      {"SC MDP", "MLP", "paper/small-corridor-mlp", "argmax", false, Estimate{-3.0, 0.0}},
      {"SC MDP", "neural DNF-MT", "paper/small-corridor-ndnf-mt", "argmax", false, Estimate{-3.0, 0.0}},
      {"SC MDP", "ASP", "paper/small-corridor-ndnf-mt", "argmax", true, Estimate{-3.0, 0.0}},
      {"SC POMDP", "Q-table", "paper/small-corridor-wall-q-table", "epsilon:0.1", false,
       Estimate{-30.683, 0.006}},
      {"SC POMDP", "MLP", "paper/small-corridor-wall-mlp", "sample", false, Estimate{-9.342, 0.022}},
      {"SC POMDP", "neural DNF-MT", "paper/small-corridor-wall-ndnf-mt", "sample", false,
       Estimate{-9.336, 0.019}},
      {"SC POMDP", "ProbLog", "paper/small-corridor-wall-ndnf-mt", "sample", true, Estimate{-9.607, 0.129}},
      {"LC-5 MDP", "Q-table", "paper/long-corridor-5-q-table", "argmax", false, Estimate{-4.0, 0.0}},
      {"LC-5 MDP", "MLP", "paper/long-corridor-5-mlp", "argmax", false, Estimate{-4.0, 0.0}},
      {"LC-5 MDP", "neural DNF-MT", "paper/long-corridor-5-ndnf-mt", "argmax", false, Estimate{-4.0, 0.0}},
      {"LC-5 MDP", "ASP", "paper/long-corridor-5-ndnf-mt", "argmax", true, Estimate{-4.0, 0.0}},
      {"LC-5 POMDP", "Q-table", "paper/long-corridor-5-wall-q-table", "epsilon:0.1", false,
       Estimate{-31.459, 0.004}},
      {"LC-5 POMDP", "MLP", "paper/long-corridor-5-wall-mlp", "sample", false, Estimate{-14.304, 0.047}},
      {"LC-5 POMDP", "neural DNF-MT", "paper/long-corridor-5-wall-ndnf-mt", "sample", false,
       Estimate{-14.212, 0.031}},
      {"LC-5 POMDP", "ProbLog", "paper/long-corridor-5-wall-ndnf-mt", "sample", true,
       Estimate{-15.358, 0.193}},
      {"LC-11 MDP", "Q-table", "paper/long-corridor-11-q-table", "argmax", false, Estimate{-4.0, 0.0}},
      {"LC-11 MDP", "MLP", "paper/long-corridor-11-mlp", "argmax", false, Estimate{-4.0, 0.0}},
      {"LC-11 MDP", "neural DNF-MT", "paper/long-corridor-11-ndnf-mt", "argmax", false, Estimate{-4.0, 0.0}},
      {"LC-11 MDP", "ASP", "paper/long-corridor-11-ndnf-mt", "argmax", true, Estimate{-4.0, 0.0}},
      {"LC-11 POMDP", "Q-table", "paper/long-corridor-11-wall-q-table", "epsilon:0.1", false,
       Estimate{-31.235, 0.004}},
      {"LC-11 POMDP", "MLP", "paper/long-corridor-11-wall-mlp", "sample", false, Estimate{-17.625, 0.051}},
      {"LC-11 POMDP", "neural DNF-MT", "paper/long-corridor-11-wall-ndnf-mt", "sample", false,
       Estimate{-17.433, 0.056}},
      {"LC-11 POMDP", "ProbLog", "paper/long-corridor-11-wall-ndnf-mt", "sample", true,
       Estimate{-17.361, 0.183}},
      {"Blackjack", "Sutton and Barto's table", "", "argmax", false, Estimate{-0.050, 0.001}},
      {"Blackjack", "Q-table", "paper/blackjack-q-table", "argmax", false},
      {"Blackjack", "MLP", "paper/blackjack-mlp", "argmax", false, Estimate{-0.045, 0.0}},
      {"Blackjack", "MLP", "paper/blackjack-mlp", "sample", false, Estimate{-0.057, 0.001}},
      {"Blackjack", "neural DNF-MT", "paper/blackjack-ndnf-mt", "argmax", false, Estimate{-0.050, 0.001}},
      {"Blackjack", "neural DNF-MT", "paper/blackjack-ndnf-mt", "sample", false, Estimate{-0.068, 0.001}},
      {"Blackjack", "ProbLog", "paper/blackjack-ndnf-mt", "sample", true, Estimate{-0.099, 0.007}},
      {"Taxi", "Q-table", "paper/taxi-q-table", "argmax", false, Estimate{7.913, 0.009}},
      {"Taxi", "MLP", "paper/taxi-mlp", "argmax", false, Estimate{7.865, 0.066}, kTaxiSeeds},
      {"Taxi", "MLP", "paper/taxi-mlp", "sample", false, Estimate{7.550, 0.011}, kTaxiSeeds},
      {"Taxi", "distilled DNF-MT", "paper/taxi-distill-ndnf-mt", "argmax", false, Estimate{7.926, 0.009}, 0,
       kTeachers},
      {"Taxi", "distilled DNF-MT", "paper/taxi-distill-ndnf-mt", "sample", false, Estimate{7.424, 0.009}, 0,
       kTeachers},
      {"Taxi", "ProbLog", "paper/taxi-distill-ndnf-mt", "sample", true, Estimate{7.604, 0.139}},
      {"Door Corridor", "MLP", "paper/door-corridor-mlp", "argmax", false, Estimate{-8.0, 0.0}},
      {"Door Corridor", "neural DNF-MT", "paper/door-corridor-ndnf-mt", "argmax", false, Estimate{-8.0, 0.0}},
      {"Door Corridor", "ASP", "paper/door-corridor-ndnf-mt", "argmax", true, Estimate{-8.0, 0.0}},
  };
  return kRows;
}

const std::vector<Blackjack>& blackjack() {
  static const std::vector<Blackjack> kRows = {
      {"Sutton and Barto's table", "", "argmax", false, {0.4294, 0.0}},
      {"MLP", "paper/blackjack-mlp", "argmax", false, {0.4324, 0.0002}, Estimate{0.1587, 0.0030}},
      {"MLP", "paper/blackjack-mlp", "sample", false, {0.4284, 0.0002}, Estimate{0.1587, 0.0030}},
      {"neural DNF-MT",
       "paper/blackjack-ndnf-mt",
       "argmax",
       false,
       {0.4282, 0.0006},
       Estimate{0.2066, 0.0056}},
      {"neural DNF-MT",
       "paper/blackjack-ndnf-mt",
       "sample",
       false,
       {0.4217, 0.0003},
       Estimate{0.2066, 0.0056}},
      {"ProbLog program",
       "paper/blackjack-ndnf-mt",
       "sample",
       true,
       {0.4079, 0.0031},
       Estimate{0.2792, 0.0125}},
  };
  return kRows;
}

const std::vector<RunTime>& run_times() {
  // The paper divides the time of 100 episodes of Door Corridor in 8 environments by 10,000.
  static const std::string kHundredth = "printed 100 times smaller";
  static const std::vector<RunTime> kRows = {
      {"Blackjack", "Q-table", "table", 4.156e-5},
      {"Blackjack", "MLP", "mlp", 2.283e-4},
      {"Blackjack", "MLP, 8 environments", "mlp-8", 1.157e-4},
      {"Blackjack", "neural DNF-MT", "ndnf-mt", 5.564e-4},
      {"Blackjack", "neural DNF-MT, 8 environments", "ndnf-mt-8", 1.574e-4},
      {"Blackjack", "program, by problog", "solver", 2.158},
      {"Blackjack", "program, by ndnf", "program", std::nullopt, "not in the paper"},
      {"Taxi", "Q-table", "table", 1.202e-4},
      {"Taxi", "MLP", "mlp", 1.734e-3},
      {"Taxi", "MLP, 8 environments", "mlp-8", 7.279e-4},
      {"Taxi", "neural DNF-MT", "ndnf-mt", 4.995e-3},
      {"Taxi", "neural DNF-MT, 8 environments", "ndnf-mt-8", 9.790e-4},
      {"Taxi", "program, by problog", "solver", std::nullopt, "timed out after 30 min"},
      {"Taxi", "program, by ndnf", "program", std::nullopt, "not in the paper"},
      {"Door Corridor", "MLP", "mlp", 1.018e-3},
      {"Door Corridor", "MLP, 8 environments", "mlp-8", 7.258e-4, kHundredth},
      {"Door Corridor", "neural DNF-MT", "ndnf-mt", 3.673e-3},
      {"Door Corridor", "neural DNF-MT, 8 environments", "ndnf-mt-8", 1.112e-3, kHundredth},
      {"Door Corridor", "program, by clingo", "solver", 2.530e-2},
      {"Door Corridor", "program, by ndnf", "program", std::nullopt, "not in the paper"},
  };
  return kRows;
}

const std::vector<OptimalActions>& optimal_actions() {
  static const std::vector<OptimalActions> kRows = {
      {"DC", "door-corridor", {1, 3, 2, 3, 2, 3, 2, 2}},
      {"DC-T", "door-corridor-t", {1, 3, 2, 3, 2, 3, 2, 3}},
      {"DC-OT", "door-corridor-ot", {1, 3, 2, 3, 2, 3, 2, 2, 3}},
  };
  return kRows;
}

const std::vector<ListedProgram>& listings() {
  static const std::vector<ListedProgram> kRows = {
      {"code:sc-sn-ppo-ndnf-mt-l4-1e5-aux-5745-asp", "corridors/sc.lp", "paper/small-corridor-ndnf-mt"},
      {"code:sc-ws-ppo-ndnf-mtl4-1e5-aux-3673-problog", "corridors/sc-wall.pl",
       "paper/small-corridor-wall-ndnf-mt"},
      {"code:lc5-sn-ppo-ndnf-mt-l4-1e5-aux-3112-asp", "corridors/lc-5.lp", "paper/long-corridor-5-ndnf-mt"},
      {"code:lc5-ws-ppo-ndnf-mt-l4-1e5-aux-8530-problog", "corridors/lc-5-wall.pl",
       "paper/long-corridor-5-wall-ndnf-mt"},
      {"code:lc11-sn-ppo-ndnf-mt-l4-1e5-aux-2668-asp", "corridors/lc-11.lp",
       "paper/long-corridor-11-ndnf-mt"},
      {"code:lc11-ws-ppo-ndnf-mt-l4-1e5-aux-6707-problog", "corridors/lc-11-wall.pl",
       "paper/long-corridor-11-wall-ndnf-mt"},
      {"code:dc-ndnf-mt-5187-asp", "door-corridor/dc.lp", "paper/door-corridor-ndnf-mt"},
      {"code:dct-ndnf-mt-5187-asp", "door-corridor/dc-t.lp", ""},
      {"code:dcot-ndnf-mt-5187-asp", "door-corridor/dc-ot.lp", ""},
  };
  return kRows;
}

}  // namespace ndnf::paper
