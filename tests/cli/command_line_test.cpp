#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CommandLine : public Binary {};

const std::vector<std::string> kCommands = {"envs", "presets", "eval", "completion"};

TEST_F(CommandLine, WithoutArgumentsPrintsHelp) {
  const ProcessResult result = ndnf({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, ndnf({"--help"}).output);
  for (const std::string& command : kCommands) EXPECT_THAT(result.output, HasSubstr("\n  " + command + " "));
}

TEST_F(CommandLine, HelpOfEveryCommandEndsWithExamples) {
  for (const std::string& command : kCommands) {
    const ProcessResult result = ndnf({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.errors, "");
    const std::size_t example = result.output.find("Example:\n  ");
    ASSERT_NE(example, std::string::npos) << command;
    EXPECT_THAT(result.output.substr(example), HasSubstr("ndnf " + command));
    EXPECT_THAT(result.output, HasSubstr("--json"));
  }
}

TEST_F(CommandLine, VersionTellsHowItWasBuilt) {
  EXPECT_THAT(ndnf({"--version"}).output, StartsWith("ndnf 0."));
  const nlohmann::json version = json({"--version"});
  for (const char* field : {"version", "compiler", "build_type", "flags", "architecture", "kernels"}) {
    EXPECT_FALSE(version.at(field).get<std::string>().empty()) << field;
  }
  EXPECT_THAT(version.at("flags").get<std::string>(), HasSubstr("-ffp-contract=off"));
}

TEST_F(CommandLine, KernelsThatThisProcessorLacksAreRefused) {
  const auto version = [this](const std::string& kernels) {
    return run({"env", "NDNF_KERNELS=" + kernels, NDNF_BINARY, "--version"});
  };
  EXPECT_THAT(version("v1").output, HasSubstr("kernels v1\n"));
  const ProcessResult refused = version("v2");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors,
              HasSubstr("NDNF_KERNELS: there are no kernels v2 for this processor; it has v1"));
}

TEST_F(CommandLine, FullDeviceIsAnErrorNotSilence) {
  const ProcessResult result = run({"sh", "-c", std::string(NDNF_BINARY) + " presets > /dev/full"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "ndnf: standard output: cannot be written (No space left on device)\n");
}

TEST_F(CommandLine, ClosedOutputIsAnErrorBeforeAnyFileCouldTakeItsPlace) {
  const ProcessResult result =
      run({"sh", "-c",
           std::string(NDNF_BINARY) +
               " train small-corridor-ndnf-mt --set ppo.total_timesteps=512 --out run >&- 2> errors"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(read("errors"), "ndnf: standard output: is closed\n");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(CommandLine, ClosedInputAndErrorsAreTakenByNoFile) {
  const ProcessResult result =
      run({"sh", "-c",
           std::string(NDNF_BINARY) +
               " train small-corridor-ndnf-mt --set ppo.total_timesteps=512 --out run --json <&- 2>&-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(read("run/metrics.jsonl")).at("iteration"), 1);
}

TEST_F(CommandLine, WhenNobodyReadsOnItEndsAsOtherProgramsDo) {
  const ProcessResult result =
      run({"bash", "-c", std::string(NDNF_BINARY) + " envs taxi --dump | head -c 1; echo ${PIPESTATUS[0]}"});
  EXPECT_EQ(result.output, "{141\n");
  EXPECT_EQ(result.errors, "");
}

struct Mistake {
  std::vector<std::string> arguments;
  std::string complaint;  ///< A part of the sentence.
};

const std::vector<Mistake> kMistakes = {
    {{"evns"}, "evns: there is no such command; did you mean envs?"},
    {{"xyzzy"},
     "known: envs, presets, train, eval, extract, edit, compile, import, check, diff, explain, draw, report, "
     "studio, export, reproduce, completion"},
    {{"--verison"}, "--verison: there is no such option; did you mean --version?"},
    {{"--json"}, "--json: needs a command"},
    {{"envs", "--jsn"}, "did you mean --json?"},
    {{"envs", "--json=maybe"}, "--json: takes no value"},
    {{"envs", "taxi", "blackjack"}, "blackjack: envs takes no further argument"},
    {{"envs", "txi"}, "txi: there is no such environment; did you mean taxi?"},
    {{"envs", "taxi:rows=1"}, "rows is an integer from 2 to"},
    {{"envs", "taxi:rwos=6"}, "did you mean rows?"},
    {{"envs", "small-corridor:goal=77"}, "small-corridor:goal=77"},
    {{"envs", "small-corridor:"}, "small-corridor:"},
    {{"envs", "missing.json"}, "missing.json: cannot be read (No such file or directory)"},
    {{"envs", "taxi", "--state", "500000"}, "there is no state 500000; its states are 0 to"},
    {{"envs", "taxi", "--state", "x"}, "--state: x is not an integer from 0 to"},
    {{"envs", "taxi", "--svg"}, "--svg: needs a value"},
    {{"envs", "taxi", "--svg", ""}, "--svg: needs the name of a file"},
    {{"envs", "--dump"}, "NAME is required with --dump, --svg and --state"},
    {{"presets", "paper/taxi-mpl"}, "did you mean paper/taxi-mlp?"},
    {{"presets", "taxi-mpl"}, "did you mean taxi-mlp?"},
    {{"presets", "xyzzy"}, "`ndnf presets` lists them all"},
    {{"eval"}, "POLICY is required; see ndnf eval --help"},
    {{"eval", "uniform"}, "uniform: names no environment; give one with --env"},
    {{"eval", "unifrom", "--env", "taxi"}, "unifrom: this is not a policy"},
    {{"eval", "missing.json", "--env", "taxi"}, "missing.json: cannot be read"},
    {{"eval", "uniform", "--env"}, "--env: needs a value"},
    {{"eval", "uniform", "--env", "taxi", "--env", "taxi"}, "--env: may be given only once"},
    {{"eval", "uniform", "--env", "taxi", "--select", "best"},
     "--select: best is not a way to select actions"},
    {{"eval", "uniform", "--env", "taxi", "--select", "epsilon:1.5"}, "epsilon:X with X from 0 to 1"},
    {{"eval", "uniform", "--env", "taxi", "--select", "epsilon:nan"}, "epsilon:X with X from 0 to 1"},
    {{"eval", "uniform", "--env", "taxi", "--exact", "--episodes", "9"}, "excludes"},
    {{"eval", "uniform", "--env", "taxi", "--episodes", "0"},
     "--episodes: 0 is not an integer from 1 to 1000000000000"},
    {{"eval", "uniform", "--env", "taxi", "--episodes", "-5"}, "--episodes: -5 is not an integer"},
    {{"eval", "uniform", "--env", "taxi", "--episodes", "1.5"}, "--episodes: 1.5 is not an integer"},
    {{"eval", "uniform", "--env", "taxi", "--episodes", "2e12"}, "--episodes: 2e12 is not an integer"},
    {{"eval", "uniform", "--env", "taxi", "--episodes", "nan"}, "--episodes: nan is not an integer"},
    {{"eval", "uniform", "--env", "taxi", "--jobs", "1025"}, "--jobs: 1025 is not an integer from 1 to 1024"},
    {{"eval", "uniform", "--env", "taxi", "--seed", "-1"}, "--seed: -1 is not an integer"},
    {{"completion"}, "SHELL is required"},
    {{"completion", "csh"}, "csh: there is no completion for this shell; did you mean zsh?"},
};

TEST_F(CommandLine, MistakesGetOneSentenceAndExitCodeTwo) {
  for (const Mistake& mistake : kMistakes) {
    const ProcessResult result = ndnf(mistake.arguments);
    SCOPED_TRACE(::testing::PrintToString(mistake.arguments));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, StartsWith("ndnf: "));
    EXPECT_THAT(result.errors, HasSubstr(mistake.complaint));
    EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1);
  }
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(CommandLine, UnwritablePlacesAreErrorsAndNothingIsLeftBehind) {
  write("file", "");
  std::filesystem::create_directory(path("folder"));
  for (const std::string target : {"file/below.json", "missing/folder.json", "folder", "/proc/ndnf.json"}) {
    for (const char* option : {"--dump", "--svg"}) {
      const ProcessResult result = ndnf({"envs", "small-corridor", option, target});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_EQ(result.output, "");
      EXPECT_THAT(result.errors, StartsWith("ndnf: " + target + ": cannot be written ("));
      EXPECT_THAT(result.errors, EndsWith(")\n"));
    }
  }
  EXPECT_EQ(file_count(), 2u);
}

}  // namespace
}  // namespace ndnf
