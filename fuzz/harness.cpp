#include "harness.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "ndnf/base/error.h"

namespace ndnf::fuzz {
namespace {

/// A folder for this process, in memory if the system has a memory file system.
class Folder {
 public:
  Folder() {
    const char* const base = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
    std::string name = std::string(base) + "/ndnf-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) require(false, "no temporary folder can be made");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

const std::string& input_file(std::string_view name, std::string_view input) {
  static const Folder folder;
  static const std::string path = (folder.path() / name).string();
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(input.data(), static_cast<std::streamsize>(input.size()));
  require(stream.flush().good(), "the input cannot be written");
  return path;
}

void run_once(std::string_view input) {
  try {
    try_input(input);
  } catch (const Error&) {
    // rejected, as intended
  }
}

}  // namespace ndnf::fuzz
