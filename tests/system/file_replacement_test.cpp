#include "ndnf/system/file_replacement.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "ndnf/base/sha256.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

class Replacement : public ::testing::Test {
 protected:
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Runs it in a separate process, which then dies as if killed.
  template <class Body>
  static void in_killed_process(Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
      body();
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }

  const testing::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
  const std::string id_ = ".ndnf-0123456789abcdef";
};

TEST_F(Replacement, ChangesAllFilesOrNone) {
  write_files({{folder_ / "a", "1"}, {folder_ / "b", "1"}});
  {
    FileReplacement replacement(folder_);
    replacement.add(folder_ / "a", "2");
    replacement.add(folder_ / "b", "2");
    EXPECT_EQ(files().size(), 4u);
  }
  EXPECT_EQ(read_file(folder_ / "a") + read_file(folder_ / "b"), "11");
  write_files({{folder_ / "a", "2"}, {folder_ / "b", "2"}});
  EXPECT_EQ(read_file(folder_ / "a") + read_file(folder_ / "b"), "22");
  EXPECT_THAT(files(), ElementsAre("a", "b"));
}

TEST_F(Replacement, WhatAKilledWriterLeftIsClearedByTheNext) {
  in_killed_process([&] {
    auto* replacement = new FileReplacement(folder_);
    replacement->add(folder_ / "a", "never");
    replacement->add(folder_ / "b", "never");
  });
  EXPECT_EQ(files().size(), 2u);
  write_file(folder_ / "c", "");
  EXPECT_THAT(files(), ElementsAre("c"));
}

TEST_F(Replacement, WhatALivingWriterHasIsLeftAlone) {
  FileReplacement replacement(folder_);
  replacement.add(folder_ / "a", "mine");
  replacement.add(folder_ / "b", "mine");
  write_file(folder_ / "c", "");
  replacement.commit();
  EXPECT_EQ(read_file(folder_ / "b"), "mine");
  EXPECT_THAT(files(), ElementsAre("a", "b", "c"));
}

TEST_F(Replacement, ACompanionOfAFileThatIsInPlaceFollowsIt) {
  write_file(folder_ / "a.lp", "new");
  write_file(folder_ / "a.lp.certificate.json", "old");
  write_file(folder_ / (id_ + "-a.lp.certificate.json"), "of " + sha256("new"));
  clear_leftovers(folder_);
  EXPECT_EQ(read_file(folder_ / "a.lp.certificate.json"), "of " + sha256("new"));
  EXPECT_THAT(files(), ElementsAre("a.lp", "a.lp.certificate.json"));
}

TEST_F(Replacement, WhatNobodyLeftReplacesNothing) {
  write_file(folder_ / "notes.txt", "mine");
  write_file(folder_ / "a.lp", "mine");
  write_file(folder_ / "a.lp.certificate.json", "mine");
  write_file(folder_ / (id_ + "-notes.txt"), "planted");
  write_file(folder_ / (".ndnf-1123456789abcdef-a.lp"), "planted " + sha256("mine"));
  write_file(folder_ / (".ndnf-2123456789abcdef-a.lp.certificate.json"), "planted " + sha256("another"));
  write_file(folder_ / "a", "a stranger's");  // vouches for nothing: it is no program
  write_file(folder_ / (".ndnf-3123456789abcdef-a.lp"), "planted " + sha256("a stranger's"));
  write_file(folder_ / (".ndnf-4123456789abcdef-a.certificate.json"), "planted " + sha256("a stranger's"));
  clear_leftovers(folder_);
  EXPECT_EQ(read_file(folder_ / "notes.txt"), "mine");
  EXPECT_EQ(read_file(folder_ / "a.lp"), "mine");
  EXPECT_EQ(read_file(folder_ / "a.lp.certificate.json"), "mine");
  EXPECT_THAT(files(), ElementsAre("a", "a.lp", "a.lp.certificate.json", "notes.txt"));
}

TEST_F(Replacement, OtherFilesAreNotTouched) {
  const std::vector<std::string> names = {".ndnf-0123", ".ndnf-lock", ".ndnf-0123456789abcdeg", id_ + "-",
                                          "x"};
  for (const std::string& name : names) write_file(folder_ / name, "");
  clear_leftovers(folder_);
  EXPECT_EQ(files().size(), names.size());
}

TEST_F(Replacement, ALongNameIsAnErrorAndLeavesNothing) {
  const std::filesystem::path longest = folder_ / std::string(240, 'x');
  write_file(longest, "alone it may be as long as the system allows");
  EXPECT_THAT(error_of([&] { write_files({{folder_ / "a", ""}, {longest, ""}}); }), HasSubstr("too long"));
  EXPECT_EQ(files().size(), 1u);
}

}  // namespace
}  // namespace ndnf
