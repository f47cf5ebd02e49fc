#include "ndnf/logic/clingo.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Status = ClingoAnswer::Status;

TEST(Clingo, FindsAllModels) {
  const ClingoAnswer answer = run_clingo("{a}. b :- not a.", {"0"});
  EXPECT_EQ(answer.status, Status::kSatisfiable);
  EXPECT_THAT(answer.models, UnorderedElementsAre(ElementsAre("a"), ElementsAre("b")));
  EXPECT_THAT(answer.costs, IsEmpty());
}

TEST(Clingo, SaysThatThereIsNoModel) {
  const ClingoAnswer answer = run_clingo("a. :- a.");
  EXPECT_EQ(answer.status, Status::kUnsatisfiable);
  EXPECT_THAT(answer.models, IsEmpty());
}

TEST(Clingo, ProvesAnOptimumAndKeepsOnlyTheBestModels) {
  const std::string program = "1 {a(1..4)}. #minimize {5-X,X : a(X), X < 3; 1,X : a(X), X > 2}. #show a/1.";
  const ClingoAnswer one = run_clingo(program);
  EXPECT_EQ(one.status, Status::kOptimum);
  EXPECT_EQ(one.models.size(), 1U);
  EXPECT_THAT(one.costs, ElementsAre(1));
  const ClingoAnswer all = run_clingo(program, {"--opt-mode=optN", "0"});
  EXPECT_EQ(all.status, Status::kOptimum);
  EXPECT_THAT(all.models, UnorderedElementsAre(ElementsAre("a(3)"), ElementsAre("a(4)")));
}

TEST(Clingo, StopsAtTheLimitOfItsWork) {
  const std::string pigeons = "1 {in(P,1..13)} 1 :- P = 1..14. :- in(P,H), in(Q,H), P < Q.";
  EXPECT_EQ(run_clingo(pigeons, {}, 1000).status, Status::kInterrupted);
}

TEST(Clingo, DoesNotTakeTheBestSoFarForAnOptimum) {
  // A vertex cover of a ring with chords, of which a few conflicts find one and prove nothing.
  const std::string program =
      "{in(0..60)}. :- not in(X), not in((X*X+7*X+1)\\61), X=0..60, X != (X*X+7*X+1)\\61."
      ":- not in(X), not in((X+1)\\61), not in((X+5)\\61), X=0..60. #minimize {1,X : in(X)}. #show in/1.";
  const ClingoAnswer some = run_clingo(program, {"--opt-strategy=bb"}, 3);
  EXPECT_EQ(some.status, Status::kInterrupted);
  ASSERT_EQ(some.models.size(), 1U);
  const ClingoAnswer best = run_clingo(program, {"--opt-strategy=usc"});
  EXPECT_EQ(best.status, Status::kOptimum);
  EXPECT_LE(best.costs, some.costs);
}

TEST(Clingo, RejectedProgramsGiveItsOwnWords) {
  try {
    run_clingo("a :- not b(X).");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("unsafe"));
  }
}

TEST(Clingo, AMissingProgramSaysWhatToInstall) {
  ::setenv("NDNF_CLINGO", "/nowhere/clingo", 1);
  try {
    run_clingo("a.");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gringo"));
  }
  ::unsetenv("NDNF_CLINGO");
}

}  // namespace
}  // namespace ndnf
