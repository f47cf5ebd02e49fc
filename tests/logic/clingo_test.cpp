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

TEST(Clingo, StopsWhenTheTimeIsOver) {
  const std::string pigeons =
      "1 {in(P,1..13)} 1 :- P = 1..14. :- in(P,H), in(Q,H), P < Q.";  // needs far more than a second
  EXPECT_EQ(run_clingo(pigeons, {}, std::chrono::seconds(1)).status, Status::kInterrupted);
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
