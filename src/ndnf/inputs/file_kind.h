#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "ndnf/system/input.h"

namespace ndnf {

/// The kinds of files and folders that commands read and write.
enum class FileKind : std::uint8_t {
  kNothing,  ///< The file does not exist.
  kOther,    ///< None of the kinds below.
  kRun,
  kFolder,  ///< A folder that is not a run directory.
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

/// The kind of a file, from its first bytes; for plain text also from its extension. A program is a shield if
/// it has rules for `forbidden(…)` and none for `action(…)`.
FileKind kind_of(const Input& input);

/// Throws Error if the file is of a known kind that is not wanted here; the message says what it is and which
/// command takes it. `needed` names what is expected, such as "a policy". Missing files and unknown kinds
/// pass: the reader of the file reports those.
void require_kind(const Input& input, std::initializer_list<FileKind> wanted, std::string_view needed);

}  // namespace ndnf
