#include "ndnf/system/process.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ProcessResult shell(const std::string& script, const std::string& input = "") {
  return run_process({{"sh", "-c", script}, input, {}, milliseconds(20000)});
}

/// Whether a killed process disappears within a few seconds. An orphan may stay a zombie until its new
/// parent reaps it; that counts as dead.
bool dies(const std::string& text) {
  const int id = std::stoi(text);
  for (int i = 0; i < 500; ++i) {
    std::ifstream status(fmt::format("/proc/{}/status", id));
    const std::string all{std::istreambuf_iterator<char>(status), {}};
    if (all.empty() || all.find("State:\tZ") != std::string::npos) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(Process, ReturnsExitCodeAndBothOutputs) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
}

TEST(Process, NamesTheSignalThatEndedIt) {
  const ProcessResult result = shell("kill -TERM $$");
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGTERM);
}

TEST(Process, PassesArgumentsUntouchedByAnyShell) {
  EXPECT_EQ(run_process({{"printf", "%s|", "a b", "$HOME", "*"}, "", {}, {}}).output, "a b|$HOME|*|");
}

TEST(Process, PassesInputAndThenItsEnd) {
  const std::string text(300000, 'x');
  EXPECT_EQ(run_process({{"cat"}, text, {}, milliseconds(20000)}).output, text);
}

TEST(Process, SurvivesAProgramThatDoesNotReadItsInput) {
  const ProcessResult result = shell("exec <&-; echo done", std::string(300000, 'x'));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "done\n");
}

TEST(Process, KeepsLargeOutputOnBothPipes) {
  const ProcessResult result =
      shell("head -c 400000 /dev/zero; head -c 500000 /dev/zero >&2; head -c 1000 /dev/zero");
  EXPECT_EQ(result.output.size(), 401000u);
  EXPECT_EQ(result.errors.size(), 500000u);
}

TEST(Process, RunsInTheGivenDirectory) { EXPECT_EQ(run_process({{"pwd"}, "", "/usr", {}}).output, "/usr\n"); }

TEST(Process, ProgramDiesWithAKilledCaller) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t caller = ::fork();
  if (caller == 0) {
    run_process({{"sh", "-c", fmt::format("echo $$ >&{}; exec sleep 1000", ends[1])}, "", {}, {}});
    ::_exit(0);
  }
  char text[32] = {};
  ASSERT_GT(::read(ends[0], text, sizeof text - 1), 0);
  ::kill(caller, SIGKILL);
  ::waitpid(caller, nullptr, 0);
  EXPECT_TRUE(dies(text));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Process, TimeOutKillsGrandchildrenAndKeepsWhatWasWritten) {
  const ProcessResult result =
      run_process({{"sh", "-c", "sleep 1000 & echo $!; wait"}, "", {}, milliseconds(300)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.exit_code, -1);
  ASSERT_FALSE(result.output.empty());
  EXPECT_TRUE(dies(result.output));
}

TEST(Process, TimeOutLetsAConfinedOneEndWhatItPutIntoGroupsOfItsOwn) {
  Confinement with_processes{{"PATH=/usr/bin:/bin"}};
  with_processes.computes_only = false;
  const char* script = "setsid sleep 1000 & echo $!; trap 'kill -9 $!; echo told; exit' TERM; wait";
  const ProcessResult result =
      run_process({{"sh", "-c", script}, "", {}, milliseconds(500), 1 << 20, with_processes});
  EXPECT_TRUE(result.timed_out);
  EXPECT_THAT(result.output, HasSubstr("\ntold\n"));
  EXPECT_TRUE(dies(result.output));
}

TEST(Process, TimeOutHoldsForAProgramThatNeverStopsWriting) {
  EXPECT_TRUE(run_process({{"yes"}, "", {}, milliseconds(100)}).timed_out);
}

TEST(Process, EndsAProgramThatWritesMoreThanItMay) {
  const ProcessResult result = run_process({{"yes"}, "", {}, milliseconds(20000), 100000});
  EXPECT_TRUE(result.output_cut);
  EXPECT_FALSE(result.timed_out);
  EXPECT_GT(result.output.size(), 100000u);
  EXPECT_LT(result.output.size(), 1000000u);
  EXPECT_FALSE(run_process({{"echo", "yes"}, "", {}, milliseconds(20000), 4}).output_cut);
}

TEST(Process, EndsWithItsProgramAndKillsWhatThatLeftBehind) {
  const ProcessResult result = shell("sleep 1000 & echo $!");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_TRUE(dies(result.output));
}

TEST(Process, MissingProgramIsAnError) {
  EXPECT_THAT(
      [] {
        run_process({{"no-such-program"}, "", {}, {}});
      },
      ThrowsMessage<Error>(HasSubstr("no-such-program: cannot be run (No such file or directory)")));
}

TEST(Process, MissingDirectoryIsAnError) {
  EXPECT_THAT(
      [] {
        run_process({{"true"}, "", "/no/such/place", {}});
      },
      ThrowsMessage<Error>(HasSubstr("/no/such/place: is not a directory")));
}

TEST(Process, NoProgramIsAnError) {
  EXPECT_THAT([] { run_process({}); }, ThrowsMessage<Error>(HasSubstr("no program")));
}

}  // namespace
}  // namespace ndnf
