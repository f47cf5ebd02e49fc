#include "ndnf/system/file_replacement.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ndnf/base/error.h"
#include "ndnf/base/sha256.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".ndnf-";
constexpr std::size_t kIdDigits = 16;

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

/// The parts of a temporary file's name.
struct TemporaryName {
  std::string id;
  std::string target;  ///< Empty for the first file of its set.
};

std::optional<TemporaryName> parse_name(const std::string& name) {
  if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + kIdDigits) return std::nullopt;
  const std::string id = name.substr(kPrefix.size(), kIdDigits);
  if (id.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
  const std::string rest = name.substr(kPrefix.size() + kIdDigits);
  if (rest.empty()) return TemporaryName{id, ""};
  if (rest[0] != '-' || rest.size() == 1) return std::nullopt;
  return TemporaryName{id, rest.substr(1)};
}

/// Copies owner and mode from the file that is replaced. Only root may change owners, so a failure there is
/// ignored.
void keep_mode(int descriptor, const fs::path& target) {
  struct stat old {};
  if (::lstat(target.c_str(), &old) != 0) return;  // a new file: the umask applies
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail_write(target, errno);
  [[maybe_unused]] const int given = ::fchown(descriptor, old.st_uid, old.st_gid);
  if (::fchmod(descriptor, old.st_mode & 0777u) != 0) fail_write(target, errno);
}

bool is_present(const fs::path& file) {
  struct stat status {};
  return ::lstat(file.c_str(), &status) == 0;
}

/// The file opened and locked; empty if a live process holds the lock or it cannot be opened.
FileDescriptor locked(const fs::path& file) {
  FileDescriptor open(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!open || ::flock(open.get(), LOCK_EX | LOCK_NB) != 0) return {};
  return open;
}

/// The temporary files of one set, by the name of the file they replace; "" is the first, which may be
/// missing.
using Leftovers = std::map<std::string, fs::path>;

/// Whether a leftover is the certificate of a program that has its new contents already.
bool vouches(const fs::path& leftover, const fs::path& folder, const std::string& target) {
  constexpr std::string_view kCertificate = ".certificate.json";
  if (!target.ends_with(kCertificate)) return false;
  const fs::path program = folder / target.substr(0, target.size() - kCertificate.size());
  if (program.extension() != ".lp" && program.extension() != ".pl") return false;
  if (!fs::is_regular_file(fs::symlink_status(program))) return false;
  try {
    return read_file(leftover).find(sha256(read_file(program))) != std::string::npos;
  } catch (const Error&) {
    return false;  // what cannot be read is not renamed
  }
}

void clear(const fs::path& folder, const std::string& id, const Leftovers& leftovers) {
  std::vector<FileDescriptor> locks;
  for (const auto& [target, file] : leftovers) {
    locks.push_back(locked(file));
    if (!locks.back()) return;
  }
  // Checked only now: a live writer may have created it since the folder was listed.
  const bool finish = !is_present(folder / (std::string(kPrefix) + id));
  if (!finish && !leftovers.contains("")) return;
  for (auto it = leftovers.rbegin(); it != leftovers.rend(); ++it) {  // in reverse: the first file last
    const auto& [target, file] = *it;
    if (finish && vouches(file, folder, target)) {
      ::rename(file.c_str(), (folder / target).c_str());
    } else {
      ::unlink(file.c_str());
    }
  }
}

}  // namespace

FileReplacement::FileReplacement(const fs::path& folder) : folder_(folder) { clear_leftovers(folder); }

FileReplacement::~FileReplacement() {
  if (committed_) return;  // the remaining files are to be finished, not removed
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) ::unlink(part->temporary.c_str());
}

void FileReplacement::create(const fs::path& target) {
  for (;;) {
    if (parts_.empty()) first_ = folder_ / (std::string(kPrefix) + random_id());
    const fs::path temporary =
        parts_.empty() ? first_ : fs::path(first_.string() + "-" + target.filename().string());
    FileDescriptor open(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!open) fail_write(target, errno);
    ::flock(open.get(), LOCK_EX);  // without lock support nobody clears leftovers either
    struct stat status {};
    const bool cleared = ::fstat(open.get(), &status) == 0 && status.st_nlink == 0;  // before it was locked
    if (cleared) continue;
    parts_.push_back({target, temporary, std::move(open)});
    return;
  }
}

void FileReplacement::add(const fs::path& file, std::string_view bytes) {
  create(file);
  const int descriptor = parts_.back().open.get();
  write_all(descriptor, file, bytes);
  keep_mode(descriptor, file);
  if (::fsync(descriptor) != 0) fail_write(file, errno);
}

void FileReplacement::commit() {
  for (const Part& part : parts_) {
    if (::rename(part.temporary.c_str(), part.target.c_str()) != 0) fail_write(part.target, errno);
    committed_ = true;
    sync_folder(folder_);
  }
}

bool is_internal_file(const fs::path& file) { return file.filename().string().starts_with(kPrefix); }

void clear_leftovers(const fs::path& folder) {
  std::map<std::string, Leftovers> sets;
  std::error_code unreadable;
  for (fs::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    if (const auto name = parse_name(entry->path().filename().string()))
      sets[name->id][name->target] = entry->path();
  }
  for (const auto& [id, leftovers] : sets) clear(folder, id, leftovers);
}

}  // namespace ndnf
