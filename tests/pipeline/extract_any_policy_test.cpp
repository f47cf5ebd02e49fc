#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/extract_policy.h"
#include "ndnf/pipeline/program_claims.h"
#include "ndnf/tasks/registry.h"

// Programs from policies that are not networks: `optimal`, `uniform`, tables and other programs.

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

PolicyExtraction extracted(const Input& policy, const std::optional<Input>& env = std::nullopt,
                           const std::optional<std::string>& as = std::nullopt) {
  ExtractionRequest request;
  request.policy = policy;
  request.env = env;
  request.as = as;
  return extract_policy(request);
}

double return_of(const PolicyExtraction& extraction) {
  const Task task = make_task(extraction.env);
  const char* name = extraction.extraction.as == Syntax::kAsp ? "p.lp" : "p.pl";
  return evaluate_exactly(task.model(), load_policy({name, extraction.text}, task)).mean_return;
}

TEST(ExtractOptimal, IsTheSmallestOptimalProgramOfTaxi) {
  const PolicyExtraction taxi = extracted("optimal", "taxi:factored");
  EXPECT_EQ(taxi.extraction.best().size.rules, 34u);
  EXPECT_TRUE(taxi.extraction.best().proved_minimal);
  EXPECT_EQ(taxi.optimal, true);
  EXPECT_NEAR(return_of(taxi), 7.93, 1e-9);
  EXPECT_THAT(taxi.text, StartsWith("% environment: taxi:obs=factored\n% policy: optimal\n"));
  EXPECT_TRUE(taxi.file.empty());
  EXPECT_EQ(to_json(taxi).at("program"), taxi.text);
}

TEST(ExtractOptimal, HasTheOptimumOfEveryTask) {
  for (const char* env : {"small-corridor", "long-corridor-11", "small-corridor:wall", "long-corridor-5:wall",
                          "door-corridor", "door-corridor-t", "blackjack", "taxi", "crossing:lanes=2,width=3",
                          NDNF_SOURCE_DIR "/examples/robot.drn:goal=home,limit=20",
                          NDNF_SOURCE_DIR "/examples/two-rooms.json"}) {
    SCOPED_TRACE(env);
    const PolicyExtraction extraction = extracted("optimal", env);
    const Optimum best = find_optimum(make_task(env).model());
    EXPECT_TRUE(extraction.extraction.best().faithful());
    const bool asp = extraction.extraction.as == Syntax::kAsp;
    EXPECT_NEAR(return_of(extraction), best.evaluation.mean_return, asp ? 1e-9 : 1e-3);
  }
}

/// A corridor of five cells with a reward of 1 at its right end, and nothing else: with 50 steps to go, a
/// step to the left costs nothing.
constexpr const char* kFreeCorridor = R"json({
  "format": "ndnf-model", "version": 1, "name": "free", "actions": ["left", "right"],
  "groups": [{"name": "cell", "atoms": ["cell(0)", "cell(1)", "cell(2)", "cell(3)", "cell(4)"]
}],
  "observations": [["cell(0)"], ["cell(1)"], ["cell(2)"], ["cell(3)"], ["cell(4)"]],
  "states": [
    {"observation": 0, "outcomes": {"left": [{"next": 0}], "right": [{"next": 1}]}},
    {"observation": 1, "outcomes": {"left": [{"next": 0}], "right": [{"next": 2}]}},
    {"observation": 2, "outcomes": {"left": [{"next": 1}], "right": [{"next": 3}]}},
    {"observation": 3, "outcomes": {"left": [{"next": 2}], "right": [{"next": 4, "reward": 1, "terminal": true}]}},
    {"observation": 4}],
  "starts": [{"state": 1}], "step_limit": 50
})json";

TEST(ExtractOptimal, DoesNotDawdleWhereTimeIsFree) {
  const PolicyExtraction extraction = extracted("optimal", Input("free.json", kFreeCorridor));
  EXPECT_THAT(extraction.text, HasSubstr("\naction(right).  %"));
  EXPECT_EQ(extraction.extraction.best().size.rules, 1u);
  EXPECT_EQ(extraction.extraction.best().mean_return->value, 1);
}

TEST(ExtractOptimal, ClaimsAreCheckedWithoutAnyFile) {
  const PolicyExtraction taxi = extracted("optimal", "taxi:factored,rows=3,cols=4");
  for (const ProgramClaim& claim : check_claims(PolicySource(Input("p.lp", taxi.text)), std::nullopt)) {
    EXPECT_EQ(claim.verdict, claim.name == "minimal" ? ClaimVerdict::kNotChecked : ClaimVerdict::kTrue)
        << claim.name << ": " << claim.said << "; " << claim.found;
  }
}

TEST(ExtractTable, KeepsItsProbabilities) {
  const PolicyExtraction table = extracted(NDNF_SOURCE_DIR "/examples/two-rooms-policy.json",
                                           NDNF_SOURCE_DIR "/examples/two-rooms.json");
  EXPECT_EQ(table.extraction.as, Syntax::kProbLog);
  EXPECT_TRUE(table.extraction.best().faithful());
  EXPECT_THAT(table.text, HasSubstr("0.125::action(walk) ; 0.875::action(grab)"));
}

TEST(ExtractUniform, IsOneDisjunction) {
  const PolicyExtraction uniform = extracted("uniform", "small-corridor");
  EXPECT_THAT(uniform.text, HasSubstr("\n0.5::action(left) ; 0.5::action(right).  %"));
}

TEST(ExtractProgram, SimplifiesIt) {
  const std::string rules =
      "% environment: small-corridor\n"
      "odd :- in_s_1.\n"
      "action(left) :- odd, not in_s_0, not in_s_2.\n"
      "action(right) :- in_s_0.\naction(right) :- in_s_2.\n";
  const PolicyExtraction simpler = extracted({"rules.lp", rules});
  EXPECT_EQ(simpler.extraction.best().size.rules, 2u);
  EXPECT_EQ(simpler.extraction.best().size.literals, 2u);
  EXPECT_THAT(error_of([] {
                extracted(Input("part.lp", "% environment: small-corridor\naction(left) :- in_s_1.\n"));
              }),
              HasSubstr("only a policy defined in every reachable observation can be extracted"));
}

TEST(ExtractProgram, IsWrittenWithItsCertificateWhereAFileIsNamed) {
  const TemporaryFolder folder;
  ExtractionRequest request;
  request.policy = "optimal";
  request.env = "small-corridor";
  request.output = (folder.path() / "best.lp").string();
  const PolicyExtraction result = extract_policy(request);
  EXPECT_EQ(read_file(result.file), result.text);
  const auto claims = nlohmann::json::parse(read_file(result.certificate));
  EXPECT_EQ(claims.at("optimal"), true);
  EXPECT_EQ(claims.at("ties"), "free");
}

}  // namespace
}  // namespace ndnf
