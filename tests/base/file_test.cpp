#include "ndnf/base/file.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/temporary_folder.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

class File : public ::testing::Test {
 protected:
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
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
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0644u);
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
