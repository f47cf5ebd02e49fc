#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

enum class ClaimVerdict : std::uint8_t { kTrue, kFalse, kNotChecked };
/// "true", "false" or "not checked".
std::string_view word(ClaimVerdict verdict);

/// Something that a program file says of itself.
struct ProgramClaim {
  std::string name;  ///< "size"
  std::string said;  ///< "10 rules for actions; 10 rules and 35 literals in all"
  ClaimVerdict verdict = ClaimVerdict::kTrue;
  std::string found;  ///< What is so instead, or why it was not checked.
};

/// The claims in the comments that extraction puts at the top of a program (program_heading.h), checked
/// again: its environment, size, exact return, and how faithful it is. For the last it takes the network:
/// `against`, a run or checkpoint, or else the model.safetensors beside the file if that is the one whose
/// fingerprint the file names. Empty for a program without such comments. Throws Error if `against` cannot be
/// read.
std::vector<ProgramClaim> check_claims(const std::string& file, const std::optional<std::string>& against);

}  // namespace ndnf
