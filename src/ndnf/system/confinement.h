#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ndnf {

/// What a program may have that is given something others wrote. It runs in a fresh empty directory, which is
/// removed afterwards, with no descriptors but its three streams, no environment but what stands here and
/// TMPDIR, and no way to more rights. Where the system has user namespaces it is without network, and the
/// whole file system is read-only but for its directory.
struct Confinement {
  std::vector<std::string> environment{};         ///< "NAME=value".
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< Bytes of address space; a file has at most so many.
  std::chrono::seconds processor_time{3600};
  /// It only reads and computes: the kernel refuses it new processes, sockets and every change of a file.
  bool computes_only = true;
};

/// An empty directory of our own, removed with all that is in it.
class FreshDirectory {
 public:
  /// Throws Error if there can be none.
  FreshDirectory();
  FreshDirectory(const FreshDirectory&) = delete;
  FreshDirectory& operator=(const FreshDirectory&) = delete;
  ~FreshDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The steps by which a new process confines itself. Made before it is copied from us: other threads may have
/// held any lock at that moment, so the steps themselves do not allocate.
class Confiner {
 public:
  explicit Confiner(const Confinement& confinement);

  const std::filesystem::path& directory() const { return directory_.path(); }
  char* const* environment() { return environment_.data(); }

  /// In the new process. Isolation that the system does not offer is passed over; false, with errno, when
  /// something fails that works everywhere.
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
