#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

/// One file of each kind, in every place where another kind belongs.
class MixedUpFiles : public Binary {
 protected:
  MixedUpFiles() {
    write("policy.lp",
          "% environment: small-corridor\naction(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
    write("chance.pl", "% environment: small-corridor\n0.5::action(left) ; 0.5::action(right).\n");
    write("shield.lp", "forbidden(left) :- in_s_0.\n");
    write("table.json", R"({"format": "ndnf-policy", "version": 1, "default": [0, 1], "rows": []})");
    write("proof.certificate.json", R"({"format": "ndnf-extraction", "version": 2})");
    write("plan.toml", "# A plan.\nenv = \"small-corridor\"\nmethod = \"ppo\"\n");
    EXPECT_EQ(ndnf({"envs", "small-corridor", "--dump", "task.json"}).exit_code, 0);
    EXPECT_EQ(ndnf({"compile", "policy.lp", "-o", "net.safetensors"}).exit_code, 0);
    EXPECT_EQ(
        ndnf({"train", "paper/small-corridor-q-table", "--set", "q-learning.episodes=1", "--out", "run"})
            .exit_code,
        0);
  }

  void expect_sentence(std::vector<std::string> arguments, const std::string& sentence) const {
    const ProcessResult result = ndnf(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr(sentence));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
};

TEST_F(MixedUpFiles, AreToldByWhatTheyAre) {
  const std::string asp = "policy.lp: this is a program (ASP), but ";
  const std::string network = "net.safetensors: this is a network, but ";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"extract", "task.json"}, "this is the model of a task, but a policy is needed here"},
      {{"extract", "proof.certificate.json"}, "this is the certificate of an extraction"},
      {{"eval", "task.json"},
       "task.json: this is the model of a task, but a policy is needed here; give it with --env"},
      {{"eval", "proof.certificate.json"},
       "this is the certificate of an extraction, but a policy is needed here"},
      {{"eval", "plan.toml"},
       "plan.toml: this is a preset, but a policy is needed here; give it to `ndnf train`"},
      {{"eval", "shield.lp", "--env", "small-corridor"},
       "this is a shield (rules about forbidden actions), but a policy is needed here; give it with "
       "--shield"},
      {{"eval", "run/state.safetensors"}, "this is the state of a training run, but a policy is needed here"},
      {{"check", "task.json"}, "but a policy is needed here"},
      {{"explain", "task.json"}, "but a policy is needed here"},
      {{"export", "task.json", "--format", "c", "-o", "x.c"}, "but a policy is needed here"},
      {{"diff", "policy.lp", "task.json"}, "task.json: this is the model of a task"},
      {{"compile", "net.safetensors"},
       network + "a program is needed here; `ndnf extract` turns it into a program"},
      {{"compile", "run"}, "run: this is a run directory, but a program is needed here"},
      {{"compile", "shield.lp"}, "shield.lp: this is a shield"},
      {{"edit", "net.safetensors", "--when", "in_s_0", "--do", "left", "-o", "x.lp"},
       network + "a program is needed here"},
      {{"eval", "optimal", "--env", "policy.lp"},
       asp + "an environment, by its name or as a model file, is needed here"},
      {{"eval", "optimal", "--env", "table.json"},
       "table.json: this is a table of probabilities, but an environment"},
      {{"envs", "net.safetensors"}, network + "an environment"},
      {{"envs", "run"}, "run: this is a run directory, but an environment"},
      {{"eval", "policy.lp", "--shield", "net.safetensors"}, network + "a shield is needed here"},
      {{"eval", "policy.lp", "--shield", "table.json"},
       "table.json: this is a table of probabilities, but a shield"},
      {{"train", "policy.lp"}, asp + "a preset, by its name or as a .toml file, is needed here"},
      {{"train", "run"}, "run: this is a run directory, but a preset"},
      {{"train", "paper/small-corridor-ndnf-mt", "--init", "table.json"},
       "table.json: this is a table of probabilities, but a program, a run or a network is needed here"},
      {{"train", "paper/small-corridor-ndnf-mt", "--set", "env=policy.lp"}, asp + "an environment"},
      {{"compile", "policy.lp", "--encoder", "policy.lp"},
       asp + "a run or a network is needed here; `ndnf compile` turns it into a network"},
      {{"compile", "policy.lp", "--encoder", "chance.pl"},
       "this is a program (ProbLog), but a run or a network is needed here"},
  };
  for (const auto& [arguments, sentence] : cases) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(arguments, " ")));
    expect_sentence(arguments, sentence);
  }
}

TEST_F(MixedUpFiles, TheContentTellsWhateverTheName) {
  write("a.json", "action(left) :- in_s_1.\naction(right) :- not in_s_1.\n");
  expect_sentence({"eval", "optimal", "--env", "a.json"},
                  "a.json: this is a program (ASP), but an environment");
  write("b.lp", read("task.json"));
  expect_sentence({"eval", "b.lp"}, "b.lp: this is the model of a task, but a policy is needed here");
  write("c.json", read("net.safetensors"));
  expect_sentence({"envs", "c.json"}, "c.json: this is a network, but an environment");
}

TEST_F(MixedUpFiles, AFolderCalledLikeATaskOrPresetIsNoHindrance) {
  std::filesystem::create_directory(path("blackjack"));
  std::filesystem::create_directory(path("optimal"));
  EXPECT_EQ(ndnf({"eval", "optimal", "--env", "blackjack"}).exit_code, 0);
  EXPECT_EQ(ndnf({"envs", "blackjack"}).exit_code, 0);
}

TEST_F(MixedUpFiles, AProgramForAnotherTaskSaysForWhich) {
  write("bj.lp", "% environment: blackjack\naction(hit) :- hand(4).\naction(stick) :- not hand(4), typo.\n");
  expect_sentence({"eval", "bj.lp", "--env", "taxi"},
                  "ndnf: bj.lp: this program is for blackjack; it does not fit taxi\n");
  for (const char* command : {"check", "explain"}) {
    expect_sentence({command, "bj.lp", "--env", "taxi"}, "bj.lp: this program is for blackjack");
  }
  expect_sentence({"compile", "bj.lp", "--env", "taxi"}, "bj.lp: this program is for blackjack");
  expect_sentence({"diff", "policy.lp", "bj.lp"},
                  "bj.lp: this program is for blackjack; it does not fit small-corridor");
  write("other.json",
        R"({"format": "ndnf-policy", "version": 1, "env": "blackjack", "actions": ["stick", "hit"],
                          "default": [0, 1], "rows": []})");
  expect_sentence({"eval", "other.json", "--env", "taxi"}, "other.json: this table is for blackjack");
  // The same atoms with other settings: the mistakes of the program itself are reported.
  expect_sentence({"eval", "bj.lp", "--env", "blackjack:sab=false"}, "bj.lp:3:31: typo is neither observed");
  EXPECT_EQ(ndnf({"eval", "policy.lp", "--env", "small-corridor:step_limit=9"}).exit_code, 0);
  // Other atoms, but the program fits.
  EXPECT_EQ(ndnf({"eval", "policy.lp", "--env", "long-corridor-5"}).exit_code, 0);
}

}  // namespace
}  // namespace ndnf
