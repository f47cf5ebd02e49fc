#include "ndnf/system/folder_lock.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

class Lock : public ::testing::Test {
 protected:
  std::string refusal() const {
    return error_of([&] { const FolderLock lock(folder_); });
  }

  const testing::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

TEST_F(Lock, IsRefusedWithTheNameOfItsHolder) {
  std::optional<FolderLock> lock(folder_);
  EXPECT_THAT(refusal(), HasSubstr(": process " + std::to_string(::getpid()) + " on "));
  EXPECT_THAT(refusal(), HasSubstr(" is writing to it; wait until it has finished"));
  lock.reset();
  EXPECT_EQ(refusal(), "");
}

TEST_F(Lock, LeavesNothingBehind) {
  { const FolderLock lock(folder_); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Lock, EndsWithItsProcess) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder_);
    [[maybe_unused]] const ssize_t told = ::write(ready[1], "x", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(refusal(), HasSubstr("process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(refusal(), "");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(Lock, IsWaitedForWhileItsProcessEnds) {
  std::optional<FolderLock> lock(folder_);
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    lock.reset();
  });
  EXPECT_EQ(refusal(), "");
  ending.join();
}

TEST_F(Lock, IsNotWrittenThroughALink) {
  std::filesystem::create_symlink("elsewhere", folder_ / ".ndnf-lock");
  EXPECT_THAT(refusal(), HasSubstr("cannot be written"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
}

}  // namespace
}  // namespace ndnf
