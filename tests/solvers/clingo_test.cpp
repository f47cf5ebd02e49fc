#include "ndnf/solvers/clingo.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error_of.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/system/file.h"
#include "solvers/raw_solver_text.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Status = ClingoAnswer::Status;

TEST(Clingo, FindsAllModels) {
  const ClingoAnswer answer = run_clingo(raw_text("{a}. b :- not a."), {"0"});
  EXPECT_EQ(answer.status, Status::kSatisfiable);
  EXPECT_THAT(answer.models, UnorderedElementsAre(ElementsAre("a"), ElementsAre("b")));
  EXPECT_THAT(answer.costs, IsEmpty());
}

/// The front end's own solvers, forgotten afterwards.
struct BroughtSolvers {
  explicit BroughtSolvers(SolverPrograms programs) { use_solvers(std::move(programs)); }
  ~BroughtSolvers() { use_solvers({}); }
};

TEST(Clingo, IsTheOneThatAFrontEndBringsAlong) {
  const BroughtSolvers brought({{"/bin/sh", "-c", "echo here >&2; exec clingo \"$@\"", "sh"}, ""});
  EXPECT_EQ(run_clingo(raw_text("a.")).status, Status::kSatisfiable);
  EXPECT_THAT(call_clingo(raw_text("a."), {}).errors, HasSubstr("here"));
}

TEST(Clingo, OfAFrontEndMustExist) {
  const BroughtSolvers brought({{"/no/such/python", "-m", "clingo"}, ""});
  EXPECT_THAT(testing::error_of([] { run_clingo(raw_text("a.")); }), HasSubstr("/no/such/python"));
}

TEST(Clingo, SaysThatThereIsNoModel) {
  const ClingoAnswer answer = run_clingo(raw_text("a. :- a."));
  EXPECT_EQ(answer.status, Status::kUnsatisfiable);
  EXPECT_THAT(answer.models, IsEmpty());
}

TEST(Clingo, ProvesAnOptimumAndKeepsOnlyTheBestModels) {
  const SolverText program =
      raw_text("1 {a(1..4)}. #minimize {5-X,X : a(X), X < 3; 1,X : a(X), X > 2}. #show a/1.");
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
  EXPECT_EQ(run_clingo(raw_text(pigeons), {}, 1000).status, Status::kInterrupted);
}

TEST(Clingo, DoesNotTakeTheBestSoFarForAnOptimum) {
  // A vertex cover of a ring with chords: a few conflicts find one but prove nothing.
  const SolverText program = raw_text(
      "{in(0..60)}. :- not in(X), not in((X*X+7*X+1)\\61), X=0..60, X != (X*X+7*X+1)\\61."
      ":- not in(X), not in((X+1)\\61), not in((X+5)\\61), X=0..60. #minimize {1,X : in(X)}. #show in/1.");
  const ClingoAnswer some = run_clingo(program, {"--opt-strategy=bb"}, 3);
  EXPECT_EQ(some.status, Status::kInterrupted);
  ASSERT_EQ(some.models.size(), 1U);
  const ClingoAnswer best = run_clingo(program, {"--opt-strategy=usc"});
  EXPECT_EQ(best.status, Status::kOptimum);
  EXPECT_LE(best.costs, some.costs);
}

TEST(Clingo, RejectedProgramsGiveItsOwnWords) {
  EXPECT_THAT(testing::error_of([] { run_clingo(raw_text("a :- not b(X).")); }), HasSubstr("unsafe"));
}

TEST(Clingo, ThatTakesTooLongOrWritesTooMuchIsStopped) {
  const SolverText many = raw_text("{a(1..30)}.");
  const auto says = [&](const SolverLimits& limits) {
    return testing::error_of([&] { run_clingo(many, {"0"}, std::nullopt, limits); });
  };
  EXPECT_EQ(says({std::chrono::minutes(10), std::size_t{1} << 20}), "clingo: wrote more than 1 MB");
  EXPECT_EQ(testing::error_of([&] {
              run_clingo(many, {"0", "-q"}, std::nullopt, {std::chrono::milliseconds(300)});
            }),
            "clingo: did not answer within 1 s");
}

/// A fake clingo that gives the answer chosen by a test.
class FalseClingo : public ::testing::Test {
 protected:
  FalseClingo() { ::setenv("NDNF_CLINGO", file().c_str(), 1); }
  ~FalseClingo() override {
    ::unsetenv("NDNF_CLINGO");
    std::filesystem::remove(file());
  }
  static std::filesystem::path file() {
    return std::filesystem::path(::testing::TempDir()) / fmt::format("clingo-{}", ::getpid());
  }

  static std::string says(const std::string& script) {
    write_file(file(), "#!/bin/sh\n" + script);
    std::filesystem::permissions(file(), std::filesystem::perms::owner_all);
    return testing::error_of([] { run_clingo(SolverText().add("a.")); });
  }
  static std::string answers(const std::string& document, int code) {
    return says(fmt::format("printf '%s' '{}'\nexit {}\n", document, code));
  }
};

TEST_F(FalseClingo, ThatFailsGivesASentence) {
  EXPECT_EQ(says("exit 3\n"), "clingo: ended without an answer or a message (exit code 3)");
  EXPECT_EQ(says("exit 0\n"), "clingo: ended without an answer or a message (exit code 0)");
  EXPECT_EQ(says("kill -9 $$\n"), "clingo: ended without an answer or a message (signal 9 (Killed))");
  EXPECT_EQ(says("echo >&2; echo 'info: x' >&2; echo '-:1:2: error: y' >&2; exit 65\n"),
            "clingo: -:1:2: error: y");
  EXPECT_EQ(says("echo >&2; echo 'something else' >&2; exit 33\n"), "clingo: something else");
  std::filesystem::remove(file());
  EXPECT_THAT(testing::error_of([] { run_clingo(SolverText().add("a.")); }), HasSubstr("install clingo"));
}

TEST_F(FalseClingo, WhoseAnswerMakesNoSenseIsNotBelieved) {
  for (const char* document :
       {"{", "[]", "null", "3", R"({"Result": 3})", R"({"Result": "SATISFIABLE"})",
        R"({"Result": "SATISFIABLE", "Call": [{"Witnesses": [3]}]})",
        R"({"Result": "SATISFIABLE", "Call": [{"Witnesses": [{"Value": ["a", 1]}]}]})",
        R"({"Result": "SATISFIABLE", "Call": [{"Witnesses": [{"Value": ["a"], "Costs": "x"}]}]})",
        R"({"Result": "SATISFIABLE", "Call": [], "Models": {"Optimal": 1000000}})",
        R"({"Result": "SATISFIABLE", "Call": [], "Models": 3})",
        R"({"Result": "OPTIMUM FOUND", "Call": []})"}) {
    EXPECT_THAT(answers(document, 10), HasSubstr("clingo: gave an invalid answer (")) << document;
  }
}

TEST_F(FalseClingo, MayNotAnswerTwiceAboutOneObservation) {
  const auto vocabulary = std::make_shared<Vocabulary>(std::vector{AtomGroup::single("a")},
                                                       std::vector<std::string>{"left", "right"});
  ObservationTable table(vocabulary);
  const std::vector<ObsId> both{table.intern(std::vector<std::uint32_t>{0}),
                                table.intern(std::vector<std::uint32_t>{1})};
  const auto about = [&](int first, int second) {
    answers(fmt::format(R"j({{"Result": "SATISFIABLE", "Models": {{"Number": 2}}, "Call": [{{"Witnesses": [)j"
                        R"j({{"Value": ["ndnf_observation({})", "action(left)"]}}, )j"
                        R"j({{"Value": ["ndnf_observation({})", "action(right)"]}}]}}]}})j",
                        first, second),
            30);
    return testing::error_of([&] { evaluate_with_clingo(SolverText().add("a."), table, both); });
  };
  EXPECT_EQ(about(0, 1), "");
  EXPECT_THAT(about(1, 1), HasSubstr("two answer sets have the same observation"));
}

TEST(ClingosComplaints, AreReadLineByLine) {
  const auto complaints =
      read_complaints("-:3:1-5: error: unsafe\ninfo: of no interest\n-:12:2: error: another\n", "error");
  ASSERT_EQ(complaints.size(), 2u);
  EXPECT_EQ(complaints[0].line, 3u);
  EXPECT_EQ(complaints[0].what, "unsafe");
  EXPECT_EQ(complaints[1].line, 12u);
  EXPECT_EQ(complaints[1].what, "another");
}

TEST(ClingosAtoms, AreReadOnlyWithinTheirBounds) {
  using Two = std::array<std::size_t, 2>;
  EXPECT_EQ(numbers_of<2>("in(3,0)", "in", Two{4, 1}), (Two{3, 0}));
  EXPECT_EQ(numbers_of<2>("inn(3,0)", "in", Two{4, 1}), std::nullopt);
  for (const char* atom : {"in", "in(", "in(3)", "in(3,0", "in(3,0,0)", "in(3,0)x", "in(4,0)", "in(3,1)",
                           "in(-1,0)", "in(,0)", "in(x,0)", "in(99999999999999999999,0)", "in( 3,0)"}) {
    EXPECT_THAT(testing::error_of([&] {
                  numbers_of<2>(atom, "in", Two{4, 1});
                }),
                HasSubstr("invalid answer"))
        << atom;
  }
}

}  // namespace
}  // namespace ndnf
