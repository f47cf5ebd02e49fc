#include "ndnf/pieces/schedule.h"

#include <filesystem>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

class Pieces : public ::testing::Test {
 protected:
  /// A piece whose result is its own name and which records that it was done.
  Piece piece(const std::string& name, Stage stage = Stage::kTrain, double seconds = 1) {
    return {name, "inputs of " + name, stage, seconds, [this, name](const std::filesystem::path&) -> Json {
              const std::lock_guard lock(mutex_);
              done_.push_back(name);
              return {{"name", name}};
            }};
  }
  std::vector<std::string> done() { return std::exchange(done_, {}); }

  const TemporaryFolder folder_;
  const PieceStore store_{folder_.path()};
  Ranks ranks_;

 private:
  std::mutex mutex_;
  std::vector<std::string> done_;
};

TEST_F(Pieces, AreDoneStageByStageTheLongestFirst) {
  do_pieces({piece("t", Stage::kTime), piece("a/short", Stage::kTrain, 1), piece("e", Stage::kExtract),
             piece("a/long", Stage::kTrain, 9), piece("d", Stage::kDistill)},
            store_, ranks_, 1);
  EXPECT_THAT(done(), ElementsAre("a/long", "a/short", "d", "e", "t"));
}

TEST_F(Pieces, ThatAreFinishedAreNotDoneAgain) {
  do_pieces({piece("a"), piece("b")}, store_, ranks_, 2);
  done();
  const Results results = do_pieces({piece("a"), piece("b"), piece("c")}, store_, ranks_, 2);
  EXPECT_THAT(done(), ElementsAre("c"));
  EXPECT_EQ(results.at("a").at("name"), "a");
}

TEST_F(Pieces, OfOtherInputsAreDoneAgain) {
  do_pieces({piece("a")}, store_, ranks_, 1);
  done();
  Piece changed = piece("a");
  changed.inputs += " with another setting";
  do_pieces({changed}, store_, ranks_, 1);
  EXPECT_THAT(done(), ElementsAre("a"));
}

TEST_F(Pieces, WhoseFileIsDamagedAreDoneAgain) {
  do_pieces({piece("a")}, store_, ranks_, 1);
  folder_.write("pieces/a.json", "{\"piece\": \"a\", \"finger");
  done();
  do_pieces({piece("a")}, store_, ranks_, 1);
  EXPECT_THAT(done(), ElementsAre("a"));
}

TEST_F(Pieces, BeforeAFailureAreKept) {
  Piece failing = piece("b", Stage::kExtract);
  failing.work = [](const std::filesystem::path&) -> Json { throw Error("b", "cannot be done"); };
  EXPECT_EQ(error_of([&] { do_pieces({piece("a"), failing}, store_, ranks_, 1); }), "b: cannot be done");
  EXPECT_THAT(done(), ElementsAre("a"));
  do_pieces({piece("a"), piece("b", Stage::kExtract)}, store_, ranks_, 1);
  EXPECT_THAT(done(), ElementsAre("b"));
}

}  // namespace
}  // namespace ndnf
