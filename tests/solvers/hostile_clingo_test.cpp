#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/solvers/clingo.h"
#include "solvers/raw_solver_text.h"

// Tests the confinement of clingo on its own: programs that our parser would reject, run by the wrapper. They
// are in Lua, which is embedded in Debian's clingo; its Python does not start at all.

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The answer of a script to `@f()`.
std::string answer(const std::string& expression, const SolverLimits& limits = {}) {
  const ProcessResult result = call_clingo(
      raw_text("#script (lua)\nclingo = require('clingo')\nfunction f()\n  return clingo.String(tostring(" +
               expression + "))\nend\n#end.\na(@f()).\n"),
      {"--outf=0", "-V0"}, limits);
  const std::string& said = result.output.empty() ? result.errors : result.output;
  return said.substr(0, said.find("\nSATISFIABLE"));
}

/// Whether this clingo runs scripts; one without Lua inside must refuse them.
bool runs_scripts() {
  const std::string said = answer("6 * 7");
  if (said == "a(\"42\")") return true;
  EXPECT_THAT(said, AllOf(HasSubstr("lua support not available"), Not(HasSubstr("42"))));
  return false;
}

class HostileClingo : public ::testing::Test {
 protected:
  const std::filesystem::path canary_ = std::filesystem::path(::testing::TempDir()) / "PWNED";
};

TEST_F(HostileClingo, CannotStartAProgramOrWriteAFile) {
  for (const std::string& attempt :
       {"os.execute('touch " + canary_.string() + "')", "io.open('" + canary_.string() + "', 'w')",
        "io.popen('touch " + canary_.string() + "')", std::string("io.open('here', 'w')"),
        std::string("os.rename('/etc/hostname', 'x')"), std::string("os.remove('/etc/hostname')"),
        std::string("os.tmpname()")}) {
    EXPECT_THAT(answer(attempt),
                ::testing::AnyOf(HasSubstr("nil"), HasSubstr("error"), StartsWith("UNKNOWN")))
        << attempt;
  }
  EXPECT_FALSE(std::filesystem::exists(canary_));
}

TEST_F(HostileClingo, SeesNothingOfOurEnvironmentAndDirectory) {
  if (!runs_scripts()) return;
  ::setenv("NDNF_SECRET", "secret", 1);
  EXPECT_EQ(answer("os.getenv('NDNF_SECRET')"), "a(\"nil\")");
  EXPECT_EQ(answer("os.getenv('HOME')"), "a(\"nil\")");
  EXPECT_EQ(answer("os.getenv('PATH')"), "a(\"nil\")");
  EXPECT_THAT(answer("os.getenv('TMPDIR')"), StartsWith("a(\"/"));
  EXPECT_EQ(answer("io.open('CMakeCache.txt')"), answer("io.open('no such file')"));
}

TEST_F(HostileClingo, RunsNoPython) {
  const ProcessResult result = call_clingo(
      raw_text("#script (python)\nopen('" + canary_.string() + "', 'w')\n#end.\na.\n"), {"--outf=0", "-V0"});
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(canary_));
}

TEST_F(HostileClingo, IsStoppedAtItsLimits) {
  if (!runs_scripts()) return;
  SolverLimits small;
  small.memory = std::uint64_t{256} << 20;
  EXPECT_THAT(answer("#string.rep('x', 1 << 29)", small), Not(HasSubstr("a(")));
  SolverLimits brief;
  brief.time = std::chrono::milliseconds(500);
  const ProcessResult endless = call_clingo(raw_text("#script (lua)\nwhile true do end\n#end.\n"), {}, brief);
  EXPECT_TRUE(endless.timed_out);
  SolverLimits silent;
  silent.output = 1 << 16;
  EXPECT_TRUE(
      call_clingo(raw_text("#script (lua)\nwhile true do print('x') end\n#end.\n"), {}, silent).output_cut);
}

TEST_F(HostileClingo, HasNoNetwork) {
  // Lua has no sockets of its own; the shell that could open one does not start, and there is no route.
  EXPECT_THAT(answer("os.execute('exec 3<>/dev/tcp/127.0.0.1/9')"), Not(HasSubstr("true")));
}

}  // namespace
}  // namespace ndnf
