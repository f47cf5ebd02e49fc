#pragma once

#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "ndnf/system/file.h"
#include "ndnf/system/process.h"

namespace ndnf {

using Words = std::vector<std::string>;

/// The paper's programs.
inline const std::string kListings = NDNF_SOURCE_DIR "/examples/";

inline Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Of a command; the thread sanitizer makes it up to fifty times slower.
#ifdef __SANITIZE_THREAD__
constexpr std::chrono::minutes kPatience{20};
#else
constexpr std::chrono::minutes kPatience{2};
#endif

/// Runs the real program in a new empty folder, which is removed when the test ends.
class Binary : public ::testing::Test {
 protected:
  ProcessResult run(std::vector<std::string> arguments) const {
    return run_process({std::move(arguments), "", folder_, kPatience});
  }
  ProcessResult ndnf(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), NDNF_BINARY);
    return run(std::move(arguments));
  }

  /// Sends the program a signal once it has written to `file`.
  ProcessResult signalled(const std::string& signal, const std::string& file,
                          std::vector<std::string> arguments) const {
    const std::string script = "\"$@\" & for i in $(seq 6000); do [ -s '" + file +
                               "' ] && break; sleep 0.01; done; kill -" + signal + " $!; wait $!";
    arguments.insert(arguments.begin(), {"bash", "-c", script, "bash", NDNF_BINARY});
    return run(std::move(arguments));
  }

  /// The program's output on a terminal, or nothing if there are no pseudo-terminals (as in a minimal
  /// chroot).
  std::optional<std::string> on_terminal(const std::string& arguments) const {
    if (!std::filesystem::exists("/dev/pts/ptmx")) return std::nullopt;
    return run({"script", "-qec", NDNF_BINARY " " + arguments, "/dev/null"}).output;
  }

  /// Expects success, no error output, and one JSON object on one line.
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const ProcessResult result = ndnf(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0);
#ifndef __SANITIZE_THREAD__  // there even short work has its progress shown
    EXPECT_EQ(result.errors, "");
#endif
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1);
    return nlohmann::json::parse(result.output, nullptr, false);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { write_file(path(name), text); }
  std::string read(const std::string& name) const { return read_file(path(name)); }
  std::size_t file_count() const {
    using Iterator = std::filesystem::recursive_directory_iterator;
    return static_cast<std::size_t>(std::distance(Iterator(folder_), Iterator()));
  }

 private:
  const testing::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

}  // namespace ndnf
