#include "ndnf/studio/workspace.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ndnf/base/error.h"
#include "ndnf/inputs/file_kind.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostReadBytes = std::size_t{64} << 20;
constexpr std::size_t kMostNameBytes = 200;
constexpr std::array<std::string_view, 9> kWritable = {".lp",   ".pl",  ".json", ".safetensors", ".c",
                                                       ".html", ".npz", ".drn",  ".prism"};

bool is_plain(const std::string& part) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+' || c == '=' || c == ',' || c == ' ';
  };
  return !part.empty() && part.front() != '.' && std::all_of(part.begin(), part.end(), plain);
}

void refuse_link(const fs::path& path, const std::string& name) {
  if (fs::is_symlink(fs::symlink_status(path)))
    throw Error(name, "is a symbolic link, or leads to one", "the studio follows none");
}

/// A run or a folder of runs is read as a whole, so no file in it may be a link.
void refuse_links_in(const fs::path& folder, const std::string& name) {
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed);
       !failed && at != fs::recursive_directory_iterator(); at.increment(failed))
    refuse_link(at->path(), name);
  if (failed) throw Error(name, "cannot be read (" + failed.message() + ")");
}

std::string kind_word(const fs::path& path) {
  switch (kind_of(path.string())) {
    case FileKind::kRun:
      return "run";
    case FileKind::kAsp:
    case FileKind::kProbLog:
      return "program";
    case FileKind::kTask:
      return "task";
    case FileKind::kNetwork:
      return "network";
    default:
      return path.extension() == ".html" ? "page" : "other";
  }
}

}  // namespace

fs::path Workspace::file(const std::string& name) const {
  const Error outside(name.substr(0, kMostNameBytes), "is not a file of the studio's folder",
                      "names are relative paths of letters, digits and _-.+=,");
  if (name.empty() || name.size() > kMostNameBytes || name.front() == '/') throw outside;
  fs::path path = folder_;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (!is_plain(part)) throw outside;
    path /= part;
    refuse_link(path, name);
    begin = end + 1;
  }
  return path;
}

fs::path Workspace::readable(const std::string& name) const {
  const fs::path path = file(name);
  if (!fs::exists(path)) throw Error(name, "there is no such file or run in the studio's folder");
  if (fs::is_directory(path)) refuse_links_in(path, name);
  return path;
}

bool Workspace::contains(const fs::path& path) const {
  std::error_code failed;
  const fs::path inner = fs::canonical(path, failed);
  if (failed) return false;
  const fs::path outer = fs::canonical(folder_, failed);
  if (failed) return false;
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

std::vector<WorkspaceEntry> Workspace::entries(std::size_t most) const {
  std::vector<WorkspaceEntry> found;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder_, failed);
  for (; !failed && at != fs::recursive_directory_iterator() && found.size() < most; at.increment(failed)) {
    constexpr int kMostDepth = 3;
    const fs::path name = at->path().lexically_relative(folder_);
    if (at->is_symlink(failed) || !is_plain(at->path().filename().string()) || at.depth() > kMostDepth) {
      at.disable_recursion_pending();
      continue;
    }
    const bool folder = at->is_directory(failed);
    const std::string kind = kind_word(at->path());
    if (folder && kind == "run") at.disable_recursion_pending();
    if (folder ? kind == "run" : kind != "other") found.push_back({name.string(), kind});
    if (folder && kind == "run") {  // the programs that were extracted from it
      for (const char* program : {"policy.lp", "policy.pl"}) {
        if (fs::is_regular_file(fs::symlink_status(at->path() / program)))
          found.push_back({(name / program).string(), "program"});
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const WorkspaceEntry& a, const WorkspaceEntry& b) { return a.name < b.name; });
  return found;
}

std::string Workspace::read(const std::string& name) const {
  return read_file(readable(name), kMostReadBytes);
}

void Workspace::save(const std::string& name, const std::string& contents) const {
  const fs::path path = file(name);
  const std::string extension = path.extension().string();
  if (std::find(kWritable.begin(), kWritable.end(), extension) == kWritable.end())
    throw Error(name, "the studio does not write files of this kind",
                "it writes .lp, .pl, .json, .safetensors, .c, .npz, .drn, .prism and .html");
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed) throw Error(name, "its folder cannot be created (" + failed.message() + ")");
  write_file(path, contents);
}

}  // namespace ndnf
