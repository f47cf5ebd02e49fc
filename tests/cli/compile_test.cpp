#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Compile : public Binary {};

TEST_F(Compile, SaysWhatItMadeAndHowItAgrees) {
  const ProcessResult result = ndnf({"compile", kListings + "door-corridor/dc.lp", "-o", "dc.safetensors"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("on door-corridor: 4 conjunctions of 63 atoms, 4 actions"),
                    HasSubstr("agrees      in 15 of 15 reachable observations"),
                    HasSubstr("undefined   in 12 more"), HasSubstr("written     dc.safetensors")));
}

TEST_F(Compile, GivesTheFieldsOfTheContract) {
  const nlohmann::json json =
      this->json({"compile", kListings + "corridors/sc-wall.pl", "-o", "sc.safetensors"});
  EXPECT_EQ(json.at("file"), "sc.safetensors");
  EXPECT_EQ(json.at("inputs"), 2);
  EXPECT_EQ(json.at("actions"), 2);
  EXPECT_EQ(json.at("agrees"), true);
  EXPECT_EQ(json.at("undefined"), 0);
  EXPECT_EQ(json.at("observations"), 2);
  EXPECT_GT(json.at("conjunctions"), 1);
}

TEST_F(Compile, WhatItMakesCanBeEvaluatedAndExtracted) {
  write("sc.pl", read_file(kListings + "corridors/sc-wall.pl"));
  ASSERT_EQ(ndnf({"compile", "sc.pl"}).exit_code, 0);
  const nlohmann::json evaluation = json({"eval", "sc.safetensors"});
  EXPECT_NEAR(evaluation.at("return"), -9.322, 5e-4);
  EXPECT_EQ(evaluation.at("select"), "sample");
  const nlohmann::json extraction = json({"extract", "sc.safetensors", "-o", "again.pl"});
  EXPECT_EQ(extraction.at("faithful"), true);
  EXPECT_NEAR(json({"eval", "again.pl"}).at("return"), -9.322, 5e-4);
}

TEST_F(Compile, RefusesOverlapsWithBothRulesAndAnObservation) {
  write("p.pl",
        "0.3::action(hit) ; 0.7::action(stick) :- hand(18).\n"
        "0.6::action(hit) ; 0.4::action(stick) :- \\+ usable_ace.\n"
        "0.5::action(hit) ; 0.5::action(stick) :- usable_ace, \\+ hand(18).\n");
  const ProcessResult result = ndnf({"compile", "p.pl", "--env", "blackjack"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.errors, StartsWith("ndnf: p.pl:2:1: its body and that of the rule at 1:1 both hold in "
                                        "hand(18), dealer("));
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Compile, HelpShowsAnExample) {
  const ProcessResult result = ndnf({"compile", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("--encoder"), HasSubstr("ndnf compile ")));
}

}  // namespace
}  // namespace ndnf
