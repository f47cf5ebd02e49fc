#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ndnf {

/// A file or run of a workspace.
struct WorkspaceEntry {
  std::string name;  ///< Its path from the workspace's folder.
  std::string kind;  ///< "run", "program", "task", "network", "page" or "other".
};

/// The folder that a studio reads and writes, and nothing outside of it. Names are relative paths of plain
/// parts: no `..`, no hidden file, no symbolic link on the way. Others may change the folder at any time, so
/// this protects from requests, not from those who can write to the folder anyway.
class Workspace {
 public:
  explicit Workspace(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  /// The path of a file or folder in it, which need not exist. Throws Error if the name leads elsewhere.
  std::filesystem::path file(const std::string& name) const;
  /// The same for a run or file that is read: the files that a run is read from are no links either.
  std::filesystem::path readable(const std::string& name) const;
  /// Whether an existing path is inside, links followed.
  bool contains(const std::filesystem::path& path) const;

  /// Runs, programs, tasks, networks and pages, at most `most`, sorted by name.
  std::vector<WorkspaceEntry> entries(std::size_t most = 1000) const;
  std::string read(const std::string& name) const;
  /// Writes a program, task, network, export or page, whole; creates the folder. Throws Error for other kinds
  /// of files.
  void save(const std::string& name, const std::string& contents) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace ndnf
