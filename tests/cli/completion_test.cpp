#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Completion : public Binary {
 protected:
  void save(const std::string& shell) const {
    const ProcessResult script = ndnf({"completion", shell});
    ASSERT_EQ(script.exit_code, 0);
    write("script", script.output);
  }

  /// What real bash offers for the last of the words.
  std::string in_bash(const std::string& words) const {
    return run({"bash", "-c",
                fmt::format("source ./script; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
                            "_ndnf; echo \"${{COMPREPLY[*]}}\"",
                            words)})
        .output;
  }
};

TEST_F(Completion, BashRegistersItsFunction) {
  save("bash");
  const ProcessResult result = run({"bash", "-c", "source ./script && complete -p ndnf"});
  EXPECT_EQ(result.output, "complete -o default -F _ndnf ndnf\n");
  EXPECT_EQ(result.errors, "");
}

TEST_F(Completion, BashCompletesCommandsOptionsAndNames) {
  save("bash");
  EXPECT_EQ(in_bash("ndnf ''"),
            "envs presets train eval extract edit compile import check diff explain draw report studio "
            "export reproduce completion\n");
  EXPECT_EQ(in_bash("ndnf ev"), "eval\n");
  EXPECT_EQ(in_bash("ndnf --v"), "--version\n");
  EXPECT_EQ(in_bash("ndnf envs door"), "door-corridor door-corridor-t door-corridor-ot\n");
  EXPECT_EQ(in_bash("ndnf eval --e"), "--env --exact --episodes\n");
  EXPECT_EQ(in_bash("ndnf eval uniform --env ta"), "taxi\n");
  EXPECT_EQ(in_bash("ndnf eval uniform --env = ta"), "taxi\n");
  EXPECT_EQ(in_bash("ndnf eval uniform --select ''"), "argmax sample epsilon:0.1\n");
  EXPECT_EQ(in_bash("ndnf export optimal --format ''"), "c npz onnx drn prism\n");
  EXPECT_EQ(in_bash("ndnf presets paper/taxi-d"), "paper/taxi-distill-ndnf-mt\n");
  EXPECT_EQ(in_bash("ndnf completion z"), "zsh\n");
  EXPECT_EQ(in_bash("ndnf envs --svg ''"), "\n");  // left to bash's own file names
}

TEST_F(Completion, ZshAcceptsItsScript) {
  save("zsh");
  const ProcessResult result = run({"zsh", "-n", "script"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(read("script"), StartsWith("#compdef ndnf\n"));
}

TEST_F(Completion, FishCompletesWithItsScript) {
  save("fish");
  const auto offers = [&](const std::string& line) {
    return run({"fish", "-N", "-c", "source ./script; complete -C '" + line + "'"}).output;
  };
  EXPECT_THAT(offers("ndnf ev"), StartsWith("eval\t"));
  EXPECT_THAT(offers("ndnf eval uniform --env ta"), StartsWith("taxi\t"));
  EXPECT_EQ(offers("ndnf presets paper/taxi-d"), "paper/taxi-distill-ndnf-mt\n");
}

TEST_F(Completion, JsonCarriesTheScript) {
  const nlohmann::json result = json({"completion", "fish"});
  EXPECT_EQ(result.at("shell"), "fish");
  EXPECT_EQ(result.at("script"), ndnf({"completion", "fish"}).output);
}

}  // namespace
}  // namespace ndnf
