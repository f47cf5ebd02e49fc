#include "ndnf/system/file.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/base/error.h"
#include "ndnf/base/parallel.h"

namespace ndnf {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

class File : public ::testing::Test {
 protected:
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  unsigned mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &status), 0);
    return status.st_mode & 0777u;
  }

  const testing::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

TEST_F(File, ReadsBackWhatWasWrittenAndLeavesNothingElse) {
  const std::string bytes("a\0b\n", 4);
  write_file(folder_ / "x", bytes);
  EXPECT_EQ(read_file(folder_ / "x"), bytes);
  write_file(folder_ / "x", "new");
  EXPECT_EQ(read_file(folder_ / "x"), "new");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(File, AreReadableByOthersAsTheUmaskSays) {
  const mode_t mask = ::umask(022);
  write_file(folder_ / "x", "");
  ::umask(mask);
  EXPECT_EQ(mode("x"), 0644u);
}

TEST_F(File, KeepTheirModeWhenReplaced) {
  write_file(folder_ / "x", "old");
  ASSERT_EQ(::chmod((folder_ / "x").c_str(), 0640), 0);
  write_file(folder_ / "x", "new");
  EXPECT_EQ(mode("x"), 0640u);
}

// The umask is process-wide: a thread that changes it, even for a moment, affects the files of others.
TEST_F(File, WrittenByManyThreadsHaveTheRightsThatTheUmaskLeaves) {
  const mode_t mask = ::umask(077);
  parallel_for(400, 8, [&](std::size_t i) {
    const std::string name = std::to_string(i);
    write_file(folder_ / name, "text");
    std::ofstream(folder_ / (name + ".other")) << "text";
  });
  ::umask(mask);
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_EQ(mode(entry.path().filename().string()), 0600u) << entry.path();
  EXPECT_EQ(file_count(), 800u);
}

TEST_F(File, ASymbolicLinkIsNotWrittenThrough) {
  write_file(folder_ / "target", "old");
  for (const char* target : {"target", "nothing", "/dev/null"}) {
    std::filesystem::create_symlink(target, folder_ / "link");
    EXPECT_THAT(error_of([&] { write_file(folder_ / "link", "new"); }),
                HasSubstr("link: is a symbolic link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
    std::filesystem::remove(folder_ / "link");
  }
  EXPECT_EQ(read_file(folder_ / "target"), "old");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(File, DevicesAreWrittenToAndNotReplaced) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(error_of([] { write_file("/dev/full", "text"); }),
              HasSubstr("/dev/full: cannot be written (No space left on device)"));
}

TEST_F(File, PipesAreReadAndWrittenWhole) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text(1'000'000, 'x');
  std::thread writer([&] { write_file(pipe, text); });
  const std::string read = read_file(pipe);
  writer.join();
  EXPECT_EQ(read.size(), text.size());
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(File, APipeThatNobodyElseOpensIsGivenUp) {
  for (const char* pipe : {"in", "out"}) ASSERT_EQ(::mkfifo((folder_ / pipe).c_str(), 0600), 0);
  std::string unread;
  std::thread reader([&] { unread = error_of([&] { read_file(folder_ / "in"); }); });
  EXPECT_THAT(error_of([&] { write_file(folder_ / "out", "text"); }),
              HasSubstr("is a pipe, and nobody reads from it"));
  reader.join();
  EXPECT_THAT(unread, HasSubstr("is a pipe, and no data arrives"));
}

TEST_F(File, LargerThanTheLimitIsRefusedWhateverItIs) {
  write_file(folder_ / "x", "12345");
  EXPECT_EQ(read_file(folder_ / "x", 5), "12345");
  EXPECT_THAT(error_of([&] { read_file(folder_ / "x", 4); }), HasSubstr("has 5 bytes; at most 4 are read"));
  EXPECT_THAT(error_of([] { read_file("/dev/zero"); }), HasSubstr("is neither a file nor a pipe"));
  EXPECT_THAT(error_of([] { read_file("/proc/self/maps", 10); }), HasSubstr("has more than 10 bytes"));
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { EXPECT_NO_THROW(write_file(pipe, "12345")); });
  EXPECT_THAT(error_of([&] { read_file(pipe, 4); }), HasSubstr("has more than 4 bytes"));
  writer.join();
}

TEST_F(File, ThatCannotBeReadToItsEndIsNotTakenForAnEmptyOne) {
  EXPECT_THAT(error_of([] { read_file("/proc/self/mem"); }), HasSubstr("/proc/self/mem: cannot be read ("));
}

TEST_F(File, CannotBeWrittenIntoAMissingFolder) {
  try {
    write_file(folder_ / "no" / "x", "");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("no/x: cannot be written (No such file or directory)"));
  }
}

TEST_F(File, AFailedWriteKeepsTheOldFolderAsItWas) {
  std::filesystem::create_directory(folder_ / "taken");
  write_file(folder_ / "taken" / "inside", "");
  EXPECT_THROW(write_file(folder_ / "taken", "text"), Error);  // a folder cannot be replaced by a file
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(File, SaysWhyItCannotBeRead) {
  EXPECT_THROW(read_file(folder_ / "missing"), Error);
  EXPECT_THROW(read_file(folder_), Error);
}

}  // namespace
}  // namespace ndnf
