// The real mpirun, with any number of ranks on any number of cores.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;

const std::string kMpirun = NDNF_MPIRUN " --oversubscribe -n 2 " NDNF_BINARY " ";

class Mpi : public Binary {
 protected:
  void SetUp() override {
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);  // tests may run in a container
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  ProcessResult shell(const std::string& commands) const { return run({"sh", "-c", commands}); }
  ProcessResult two_ranks(const std::string& arguments) const { return shell(kMpirun + arguments); }

  void expect_same_runs(const std::string& a, const std::string& b, std::size_t seeds) const {
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const std::string file = "/seed-" + std::to_string(seed) + "/model.safetensors";
      EXPECT_EQ(read(a + file), read(b + file)) << file;
    }
  }
};

const std::string kTrain = "train small-corridor-wall-ndnf-mt --set ppo.total_timesteps=5120 --seeds 0..4";

TEST_F(Mpi, RanksShareSeedsAndTheFirstReportsThemAll) {
  const ProcessResult together = two_ranks(kTrain + " --out together --json");
  ASSERT_EQ(together.exit_code, 0) << together.errors;
  ASSERT_EQ(shell(NDNF_BINARY " " + kTrain + " --out alone").exit_code, 0);
  expect_same_runs("together", "alone", 5);
  EXPECT_EQ(std::count(together.output.begin(), together.output.end(), '\n'), 6);  // and the summary
}

TEST_F(Mpi, SaysWhenAnotherBuildBeganARun) {
  ASSERT_EQ(shell(NDNF_BINARY " " + kTrain + " --out runs").exit_code, 0);
  TensorFile state = parse_safetensors("state", read("runs/seed-3/state.safetensors"));
  state.metadata["build"] = "ndnf 0.0.1 (tcc)";
  write("runs/seed-3/state.safetensors", to_checked_safetensors(state));
  EXPECT_THAT(two_ranks(kTrain + " --out runs --resume").output,
              HasSubstr("runs/seed-3 was begun by another build, ndnf 0.0.1 (tcc)"));
}

TEST_F(Mpi, StudentsWaitForTheTeacherOfTheFirstRank) {
  write("teacher.toml", R"(
env = "small-corridor"
method = "ppo"
[actor]
model = "mlp"
[ppo]
total_timesteps = 5120
)");
  write("student.toml", R"(
env = "small-corridor"
method = "distill"
[actor]
model = "ndnf-mt"
conjunctions = 4
[distill]
teacher = "teacher.toml"
epochs = 20
)");
  const ProcessResult together = two_ranks("train student.toml --seeds 0..2 --out together");
  ASSERT_EQ(together.exit_code, 0) << together.errors;
  ASSERT_EQ(shell(NDNF_BINARY " train student.toml --seeds 0..2 --out alone").exit_code, 0);
  expect_same_runs("together", "alone", 3);
}

TEST_F(Mpi, ARankThatDiesCostsOnlyItsCurrentRun) {
  const std::string train = "train small-corridor-wall-q-table --set q-learning.episodes=200000 --seeds 0..3";
  // Kills the second rank as soon as it has begun.
  const ProcessResult killed = shell(kMpirun + train + R"( --out dying --checkpoint 0 &
    mpirun=$!
    for i in $(seq 200); do [ -e dying/seed-1/state.safetensors ] && break; sleep 0.05; done
    set -- $(cat /proc/$mpirun/task/$mpirun/children)
    kill -9 $2
    wait $mpirun)");
  EXPECT_NE(killed.exit_code, 0);
  const ProcessResult again = two_ranks(train + " --out dying --resume");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  ASSERT_EQ(shell(NDNF_BINARY " " + train + " --out alone").exit_code, 0);
  expect_same_runs("dying", "alone", 4);
}

TEST_F(Mpi, TwoRanksReproduceTheSameBytesAsOne) {
  const std::string reproduce = "reproduce --quick --only door-corridor --format markdown json --out ";
  const ProcessResult together = two_ranks(reproduce + "together");
  ASSERT_EQ(together.exit_code, 0) << together.errors;
  ASSERT_EQ(shell(NDNF_BINARY " " + reproduce + "alone").exit_code, 0);
  EXPECT_EQ(read("together/results.md"), read("alone/results.md"));
  EXPECT_EQ(read("together/results.json"), read("alone/results.json"));
}

TEST_F(Mpi, BadInputEndsAllRanksWithItsSentence) {
  const ProcessResult result = two_ranks("train no-such-preset --seeds 0..3");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("ndnf: no-such-preset"));
}

}  // namespace
}  // namespace ndnf
