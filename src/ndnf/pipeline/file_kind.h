#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ndnf {

/// The kinds of files and folders that commands read and write.
enum class FileKind : std::uint8_t {
  kNothing,  ///< There is no such file.
  kOther,    ///< None of these.
  kRun,
  kFolder,  ///< Without a run.
  kNetwork,
  kState,
  kAsp,
  kShield,
  kProbLog,
  kTask,
  kTable,
  kCertificate,
  kPreset,
};

/// What a file is. Its beginning tells; its name only where that is plain text. A program is a shield if it
/// speaks of forbidden actions and of no others.
FileKind kind_of(const std::string& path);

/// Throws Error if the file is of a kind that we know and that is not wanted: what it is, and what it is good
/// for. `needed` names what belongs there: "a policy". What is missing, or not known, is left to its reader.
void require_kind(const std::string& path, std::initializer_list<FileKind> wanted, std::string_view needed);

}  // namespace ndnf
