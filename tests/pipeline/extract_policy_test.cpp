#include "ndnf/pipeline/extract_policy.h"

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "env/json_files.h"
#include "extract/faithfulness.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/logic/read_program.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/diff_policies.h"
#include "ndnf/tasks/registry.h"
#include "ndnf/training/train.h"

namespace ndnf {
namespace {

using testing::TemporaryFolder;

/// Runs to train and to extract from.
struct RunCase {
  std::string name;
  std::string trained;                           ///< The preset, or for a distillation the environment.
  std::optional<std::string> as = std::nullopt;  ///< Default: that of the preset.
  std::vector<std::uint64_t> seeds = {0, 1};
  std::size_t asked_seeds = 2;  ///< The number of seeds that are also checked with the real solver.
};

void PrintTo(const RunCase& c, std::ostream* out) { *out << c.name; }
std::string run_name(const ::testing::TestParamInfo<RunCase>& info) { return info.param.name; }

/// A run's program, read from its file, and the run's network.
class ExtractedRun {
 public:
  ExtractedRun(const std::string& run, const std::optional<std::string>& as)
      : result_(extracted(run, as)),
        environment_(make_task(result_.env)),
        network_(load_policy(run, environment_)),
        program_(tabulate(
            BoundProgram(read_program(result_.file, table().vocabulary()), table().shared_vocabulary()),
            table())),
        reachable_(reachable(environment_.model()).observations) {}

  void expect_faithful() const {
    const testing::Difference found = testing::difference(network_, program_, reachable_);
    EXPECT_EQ(found.undefined, 0u);
    EXPECT_EQ(found.actions, 0u);
    if (result_.extraction.as == Syntax::kProbLog) {
      EXPECT_LE(found.probability, 1e-3);
    }
    EXPECT_TRUE(result_.extraction.best().faithful());
    EXPECT_EQ(result_.extraction.attempts[0].method, "threshold");
  }

  void expect_certificate() const {
    const auto json = nlohmann::json::parse(read_file(result_.certificate));
    EXPECT_EQ(json.at("format"), "ndnf-extraction");
    EXPECT_EQ(json.at("faithful"), true);
    EXPECT_EQ(json.at("disagreements"), 0);
    EXPECT_EQ(json.at("observations"), reachable_.size());
    EXPECT_EQ(json.at("file"), std::filesystem::path(result_.file).filename().string());
    EXPECT_EQ(json.at("methods").size(), result_.extraction.attempts.size());
    EXPECT_EQ(json.at("return_program"), evaluate_exactly(environment_.model(), program_).mean_return);
  }

  void expect_the_real_solver_agrees() const {
    testing::expect_the_real_solver_agrees(read_file(result_.file), result_.extraction.as, program_, table(),
                                           reachable_);
  }

 private:
  static PolicyExtraction extracted(const std::string& run, const std::optional<std::string>& as) {
    ExtractionRequest request;
    request.policy = run;
    request.as = as;
    return extract_policy(request);
  }
  const ObservationTable& table() const { return environment_.model().observations(); }

  PolicyExtraction result_;
  Task environment_;
  PolicyTable network_;
  PolicyTable program_;
  std::vector<ObsId> reachable_;
};

void expect_faithful_programs(const TrainRequest& request, const RunCase& c) {
  const std::vector<TrainedRun> runs = train(request);
  ASSERT_EQ(runs.size(), c.seeds.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(runs[k].run);
    const ExtractedRun run(runs[k].run, c.as);
    run.expect_faithful();
    run.expect_certificate();
    if (k < c.asked_seeds) run.expect_the_real_solver_agrees();
  }
}

TrainRequest train_request(const std::string& source, const RunCase& c, const TemporaryFolder& folder) {
  TrainRequest request;
  request.source = source;
  request.seeds = c.seeds;
  request.folder_per_seed = true;
  request.out = (folder.path() / "run").string();
  return request;
}

class TrainedRuns : public ::testing::TestWithParam<RunCase> {};

TEST_P(TrainedRuns, BecomeFaithfulPrograms) {
  const TemporaryFolder folder;
  expect_faithful_programs(train_request(GetParam().trained, GetParam(), folder), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Paper, TrainedRuns,
    ::testing::Values(RunCase{"SmallCorridor", "paper/small-corridor-ndnf-mt"},
                      RunCase{"SmallCorridorWall", "paper/small-corridor-wall-ndnf-mt"},
                      RunCase{"LongCorridor5", "paper/long-corridor-5-ndnf-mt"},
                      RunCase{"LongCorridor5Wall", "paper/long-corridor-5-wall-ndnf-mt"},
                      RunCase{"LongCorridor11", "paper/long-corridor-11-ndnf-mt"},
                      RunCase{"LongCorridor11Wall", "paper/long-corridor-11-wall-ndnf-mt"},
                      RunCase{"DoorCorridor", "paper/door-corridor-ndnf-mt"},
                      // ProbLog is slow: half a minute per seed.
                      RunCase{"Blackjack", "paper/blackjack-ndnf-mt", std::nullopt, {0, 1}, 1},
                      RunCase{"BlackjackBestAction", "paper/blackjack-ndnf-mt", "asp"}),
    run_name);

/// Rules over the signs of an encoder's outputs may differ from the network, which uses the outputs
/// themselves; the claims in a program's header are about the network as it runs.
TEST(EncodedRuns, BecomeProgramsThatSayWhatTheyAreFaithfulTo) {
  const TemporaryFolder folder;
  TrainRequest training;
  training.source = "best/door-corridor-ndnf-mt";
  training.seeds = {7001, 7002, 7003, 7004, 7017};
  training.folder_per_seed = true;
  training.out = (folder.path() / "run").string();
  std::size_t only_to_truth_values = 0;
  for (const TrainedRun& run : train(training)) {
    SCOPED_TRACE(run.run);
    std::vector<std::size_t> rules;
    for (const std::optional<std::string>& over :
         std::vector<std::optional<std::string>>{std::nullopt, "predicates", "atoms"}) {
      ExtractionRequest request;
      request.policy = run.run;
      request.over = over;
      request.output = (folder.path() / "policy.lp").string();
      const PolicyExtraction result = extract_policy(request);
      const Attempt& best = result.extraction.best();
      DiffRequest compared;
      compared.a = run.run;
      compared.b = *request.output;
      const std::size_t changed = diff_policies(compared).changed_reachable;
      EXPECT_EQ(best.reachable.disagreements, changed);
      EXPECT_EQ(best.faithful(), changed == 0);
      EXPECT_EQ(result.text.find("% faithful: the network's action in all 27") != std::string::npos,
                changed == 0);
      rules.push_back(best.faithful() ? best.size.rules : SIZE_MAX);
      if (best.faithful_to != FaithfulTo::kTruthValues) continue;
      ++only_to_truth_values;
      EXPECT_EQ(best.truth_values->disagreements, 0u);
      EXPECT_NE(result.text.find(
                    fmt::format("% faithful: NO, {} of 27 reachable observations differ; only to", changed)),
                std::string::npos);
    }
    EXPECT_EQ(rules[0], std::min(rules[1], rules[2]));
    EXPECT_NE(rules[2], SIZE_MAX);  // over atoms every policy can be expressed
  }
  EXPECT_GT(only_to_truth_values, 0u);
}

/// Taxi's networks, distilled in a second from a file with an optimal policy instead of a trained teacher.
class DistilledRuns : public ::testing::TestWithParam<RunCase> {};

TEST_P(DistilledRuns, BecomeFaithfulPrograms) {
  const TemporaryFolder folder;
  const Task taxi = make_task(GetParam().trained);
  const PolicyTable optimum = find_optimum(taxi.model()).policy;
  const auto teacher = folder.write("teacher.json", to_policy_file(optimum, taxi));
  TrainRequest request = train_request("paper/taxi-distill-ndnf-mt", GetParam(), folder);
  request.settings = {"env=" + taxi.spec,   "distill.teacher=" + teacher.string(),
                      "distill.epochs=600", "distill.learning_rate=0.01",
                      "delta.delay=20",     "delta.steps=5"};
  expect_faithful_programs(request, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Taxi, DistilledRuns,
                         ::testing::Values(RunCase{"OneHot", "taxi:one-hot", "problog", {0, 1}, 0},
                                           RunCase{"OneHotBestAction", "taxi:one-hot", "asp"},
                                           // The frontier of 400 observations and 6 actions takes seconds.
                                           RunCase{"Factored", "taxi:factored", "problog", {0}, 0},
                                           RunCase{"FactoredBestAction", "taxi:factored", "asp"}),
                         run_name);

}  // namespace
}  // namespace ndnf
