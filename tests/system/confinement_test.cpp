#include "ndnf/system/confinement.h"

#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "ndnf/base/error.h"
#include "ndnf/system/process.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Confinement with_processes() {
  Confinement confinement{{"PATH=/usr/bin:/bin"}};
  confinement.computes_only = false;
  return confinement;
}

Confinement computing() { return Confinement{{"PATH=/usr/bin:/bin"}}; }

ProcessResult confined(std::vector<std::string> arguments, const Confinement& confinement,
                       std::size_t output_limit = 1 << 20) {
  return run_process({std::move(arguments), "", {}, milliseconds(20000), output_limit, confinement});
}

ProcessResult confined_shell(const std::string& script, const Confinement& confinement = with_processes()) {
  return confined({"sh", "-c", script}, confinement);
}

/// Whether this system supports user namespaces.
bool isolates() {
  return confined_shell("readlink /proc/self/ns/net").output !=
         fs::read_symlink("/proc/self/ns/net").string() + "\n";
}

TEST(Confinement, GivesAnEnvironmentOfItsOwn) {
  ::setenv("NDNF_SECRET", "secret", 1);
  Confinement confinement{{"A=b"}};
  const std::string output = confined({"env"}, confinement).output;
  EXPECT_THAT(output, StartsWith("A=b\nTMPDIR="));
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 2);
}

TEST(Confinement, GivesAnEmptyDirectoryThatIsGoneAfterwards) {
  const ProcessResult result = confined_shell("pwd; ls -A | wc -l; echo text > $TMPDIR/file && cat file");
  EXPECT_THAT(result.output, HasSubstr("\n0\ntext\n")) << result.errors;
  const fs::path folder = result.output.substr(0, result.output.find('\n'));
  EXPECT_NE(folder, fs::current_path());
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_FALSE(
      fs::exists(confined_shell("mkdir -p a/b; touch a/b/c; pwd").output.substr(0, folder.string().size())));
}

TEST(Confinement, ClosesEveryOtherDescriptor) {
  const int kept = ::open("/dev/null", O_RDONLY);  // not closed on exec
  ASSERT_GE(kept, 3);
  EXPECT_THAT(run_process({{"ls", "/proc/self/fd"}, "", {}, {}}).output, HasSubstr(std::to_string(kept)));
  EXPECT_EQ(confined({"ls", "/proc/self/fd"}, with_processes()).output,
            "0\n1\n2\n3\n");  // 3 is what ls reads
  ::close(kept);
}

TEST(Confinement, LimitsMemoryTimeAndOutput) {
  Confinement small = with_processes();
  small.memory = 64 << 20;
  EXPECT_THAT(confined_shell("head -c 200000000 /dev/zero | tail -c 150000000 | wc -c", small).errors,
              HasSubstr("memory exhausted"));
  Confinement brief = with_processes();
  brief.processor_time = std::chrono::seconds(1);
  const ProcessResult busy = confined_shell("while :; do :; done", brief);
  EXPECT_TRUE(busy.signal == SIGXCPU || busy.signal == SIGKILL);
  EXPECT_TRUE(confined({"sh", "-c", "yes >&2"}, with_processes(), 10000).output_cut);
}

TEST(Confinement, TakesTheNetworkAndTheFilesAway) {
  const bool isolated = isolates();
  // Without namespaces it takes the filter of system calls, which only programs that compute can live with.
  const Confinement confinement = isolated ? with_processes() : computing();
  const fs::path file = fs::path(::testing::TempDir()) / "written_from_outside";
  EXPECT_NE(confined_shell("echo x > " + file.string(), confinement).exit_code, 0);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_NE(confined_shell("exec rm -f " NDNF_SOURCE_DIR "/README.md", confinement).exit_code, 0);
  EXPECT_TRUE(fs::exists(NDNF_SOURCE_DIR "/README.md"));
  if (isolated) {
    EXPECT_EQ(confined_shell("tail -n +3 /proc/net/dev | grep -v '^ *lo:' | wc -l").output, "0\n");
  } else {
    const std::string open_socket = "exec " NDNF_PYTHON " -c 'import socket; socket.socket()'";
    EXPECT_THAT(confined_shell(open_socket, confinement).errors, HasSubstr("PermissionError"));
  }
}

TEST(Confinement, GivesNoPrivilegesAndFewDescriptorsAndLeavesNoCore) {
  for (const Confinement& confinement : {with_processes(), computing()}) {
    EXPECT_EQ(confined({"grep", "NoNewPrivs", "/proc/self/status"}, confinement).output, "NoNewPrivs:\t1\n");
    EXPECT_EQ(confined_shell("ulimit -n; ulimit -H -n; ulimit -c", confinement).output, "256\n256\n0\n");
  }
  EXPECT_EQ(confined({"grep", "Seccomp:", "/proc/self/status"}, computing()).output, "Seccomp:\t2\n");
}

TEST(Confinement, OfAProgramThatOnlyComputesLeavesItNothingElse) {
  const fs::path file = fs::path(::testing::TempDir()) / "computed";
  EXPECT_EQ(confined_shell("i=0; while [ $i -lt 9 ]; do i=$((i+1)); done; echo $i", computing()).output,
            "9\n");
  EXPECT_EQ(confined_shell("read x < /etc/passwd; echo ${x%%:*}", computing()).output, "root\n");
  const std::vector<std::string> scripts{"touch " + file.string(),
                                         "exec touch " + file.string(),
                                         ": > " + file.string(),
                                         ": > here",
                                         "exec mkdir x",
                                         "(:)",
                                         "exec mv /etc/hostname x",
                                         "kill -9 $PPID",
                                         "exec " NDNF_PYTHON " -c 'import socket; socket.socket()'",
                                         "exec " NDNF_PYTHON " -c 'import os; os.fork()'",
                                         "exec " NDNF_PYTHON " -c 'import os; os.kill(os.getppid(), 9)'",
                                         "exec " NDNF_PYTHON
                                         " -c 'import os; os.chmod(\"/etc/hostname\", 0o777)'"};
  for (const std::string& script : scripts) {
    const ProcessResult result = confined_shell(script, computing());
    EXPECT_NE(result.exit_code, 0) << script;
    EXPECT_FALSE(result.errors.empty()) << script;
  }
  EXPECT_FALSE(fs::exists(file));
}

TEST(Confinement, StillSaysWhatCannotBeStarted) { EXPECT_THROW(confined({"no-such-program"}, {}), Error); }

}  // namespace
}  // namespace ndnf
