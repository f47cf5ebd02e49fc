#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ndnf {

/// The resources granted to a program that processes untrusted input. It runs in a new empty directory,
/// which is removed afterwards, with no descriptors except its three standard streams, no environment except
/// the variables given here and TMPDIR, and no way to gain privileges. Where user namespaces are available,
/// it has no network, and the whole file system except its directory is read-only.
struct Confinement {
  std::vector<std::string> environment{};         ///< "NAME=value".
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< Bytes of address space, and the maximum size of a file.
  std::chrono::seconds processor_time{3600};
  /// The program only reads and computes: the kernel denies it new processes, sockets and all changes to
  /// files.
  bool computes_only = true;
};

/// A new empty directory, removed with its contents on destruction.
class FreshDirectory {
 public:
  /// Throws Error if it cannot be created.
  FreshDirectory();
  FreshDirectory(const FreshDirectory&) = delete;
  FreshDirectory& operator=(const FreshDirectory&) = delete;
  ~FreshDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Confines a new process from within. Constructed before fork(): another thread may have held any lock at
/// that moment, so the steps after the fork do not allocate.
class Confiner {
 public:
  explicit Confiner(const Confinement& confinement);

  const std::filesystem::path& directory() const { return directory_.path(); }
  char* const* environment() { return environment_.data(); }

  /// Called in the new process. Skips isolation that the system does not offer. Returns false, with errno
  /// set, if a step fails that should work everywhere.
  bool enter() const;

 private:
  void isolate() const;
  bool limit() const;
  void forbid_all_but_computing() const;

  FreshDirectory directory_;
  Confinement confinement_;
  std::vector<char*> environment_;
  std::string user_map_;
  std::string group_map_;
};

}  // namespace ndnf
