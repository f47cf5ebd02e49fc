#include <cstdlib>
#include <memory>
#include <numeric>
#include <sstream>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/solvers/real_solvers.h"
#include "ndnf/system/process.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

/// Names of atoms that look like something else to a solver, and harmless ones.
std::vector<std::string> strange_atoms() {
  std::vector<std::string> names = {"a",           "class_0",
                                    "conj_1",      "a_0",
                                    "override_1",  "x_Y9",
                                    "hand(0)",     "hand(x,y)",
                                    "p(a_B)",      "truth(1)",
                                    "write",       "error",
                                    "fail(2)",     "action",
                                    "action(1,2)", "forbidden",
                                    "query",       "sum(1)",
                                    "never",       "when",
                                    "p(true)",     "p(mod)",
                                    "p(is,fail)",  "e(2147483647)",
                                    "e(-1)",       "at(-7,x,-2147483647)",
                                    "show",        "length(3)",
                                    "findall",     "table",
                                    "dynamic",     "inf"};
  for (const char* word :
       {"not",    "true",    "false",     "fail",        "is",       "mod",        "rem",
        "xor",    "div",     "as",        "rdiv",        "consult",  "use_module", "forall",
        "call",   "between", "succ",      "plus",        "print",    "assertz",    "member",
        "append", "include", "nb_setval", "atom_length", "sub_atom", "ndnf_rule"}) {
    names.emplace_back(word);
    names.push_back(std::string(word) + "(1)");
    names.push_back(std::string(word) + "(1,2)");
    names.push_back(std::string(word) + "(1,2,3)");
  }
  return names;
}

bool is_allowed(const std::string& atom) {
  return testing::error_of([&] { Vocabulary({AtomGroup::single(atom)}, {"go"}); }).empty();
}

/// A task with an atom of every name that a task may have, and observations with half of them true.
class Names : public ::testing::Test {
 protected:
  Names() {
    ::setenv("NDNF_PROBLOG_PYTHON", NDNF_PYTHON, 1);
    std::vector<AtomGroup> groups;
    for (const std::string& atom : strange_atoms()) {
      if (is_allowed(atom)) groups.push_back(AtomGroup::single(atom));
    }
    const std::vector<std::string> actions = {"go",        "true", "is",    "mod",     "action",
                                              "forbidden", "fail", "write", "class_0", "move(1,x)"};
    vocabulary_ = std::make_shared<const Vocabulary>(std::move(groups), actions);
    table_ = std::make_unique<ObservationTable>(vocabulary_);
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::vector<std::uint32_t> values;
      for (std::uint32_t a = 0; a < vocabulary_->atom_count(); ++a) values.push_back((a * 7 + i * 3) / 5 % 2);
      table_->intern(values);
    }
  }
  ~Names() override { ::unsetenv("NDNF_PROBLOG_PYTHON"); }

  /// Atom k decides about action k mod actions; every second one under negation.
  std::string program(Syntax syntax) const {
    std::string text;
    for (AtomId a = 0; a < vocabulary_->atom_count(); ++a) {
      const std::string& action =
          vocabulary_->action_name(static_cast<ActionId>(a % vocabulary_->action_count()));
      const std::string negation = a % 2 == 0 ? "" : syntax == Syntax::kAsp ? "not " : "\\+ ";
      text += fmt::format("{}action({}) :- {}{}.\n", syntax == Syntax::kAsp ? "" : "0.25::", action, negation,
                          vocabulary_->atom_name(a));
    }
    return text;
  }

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::unique_ptr<ObservationTable> table_;
};

TEST_F(Names, ThatATaskMayHaveAreReadAlikeByEverybody) {
  ASSERT_GT(vocabulary_->atom_count(), 60U);
  std::vector<ObsId> ids(table_->size());
  std::iota(ids.begin(), ids.end(), 0);
  for (const Syntax syntax : {Syntax::kAsp, Syntax::kProbLog}) {
    const Program read = parse_program("p", program(syntax), syntax);
    const Program again = parse_program("p", to_text(read), syntax);
    const PolicyTable ours = tabulate(BoundProgram(again, vocabulary_), *table_);
    const PolicyTable real = syntax == Syntax::kAsp ? evaluate_with_clingo(again, *table_, ids)
                                                    : evaluate_with_problog(again, *table_, ids).policy;
    for (const ObsId obs : ids) {
      for (ActionId a = 0; a < vocabulary_->action_count(); ++a) {
        EXPECT_NEAR(ours.row(obs)[a], real.row(obs)[a], 1e-9) << obs << ": " << vocabulary_->action_name(a);
      }
    }
  }
}

TEST_F(Names, ThatAreReservedComeWithTheList) {
  for (const char* reserved :
       {"not", "true", "false", "action(walk)", "forbidden(walk)", "ndnf_rule", "ndnf_x(1)", "query(a)",
        "evidence(a,b)", "write(1)", "mod", "mod(1,2)", "fail", "p(not)"}) {
    EXPECT_FALSE(is_allowed(reserved)) << reserved;
  }
  EXPECT_EQ(testing::error_of([] { Vocabulary({AtomGroup::single("action(walk)")}, {"go"}); }),
            "the atom name action(walk) is reserved; so are true, false, action/1, forbidden/1, ndnf_… and "
            "ProbLog's built-ins, such as write/1 or mod");
  EXPECT_THAT(testing::error_of([] { Vocabulary({AtomGroup::single("a")}, {"not"}); }),
              HasSubstr("is not the word not"));
}

/// Asks ProbLog for its predicates; our list must contain all that look like an atom.
TEST_F(Names, ThatProbLogHasItselfAreAllKnown) {
  const ProcessResult result = run_process(
      {{NDNF_PYTHON, "-c",
        "from problog.engine import DefaultEngine\n"
        "import re\n"
        "for name in DefaultEngine().get_builtins():\n"
        "    if re.fullmatch(r'[a-z]\\w*/\\d+', str(name)): print(str(name).replace('/', ' '))\n"},
       "",
       {},
       {}});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  std::istringstream lines(result.output);
  std::size_t count = 0;
  for (std::string name, arity; lines >> name >> arity; ++count) {
    EXPECT_TRUE(is_problogs(name, std::stoul(arity))) << name << "/" << arity;
    EXPECT_TRUE(is_reserved_atom(name, std::stoul(arity)));
  }
  EXPECT_GT(count, 100U);
}

}  // namespace
}  // namespace ndnf
