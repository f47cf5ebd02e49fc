#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/inputs/policy_source.h"

namespace ndnf {

enum class ClaimVerdict : std::uint8_t { kTrue, kFalse, kNotChecked };
/// "true", "false" or "not checked".
std::string_view word(ClaimVerdict verdict);

/// A claim in the header of a program file.
struct ProgramClaim {
  std::string name;  ///< "size"
  std::string said;  ///< "10 rules for actions; 10 rules and 35 literals in all"
  ClaimVerdict verdict = ClaimVerdict::kTrue;
  std::string found;  ///< The correct value if the claim is false, or why it was not checked.
};

/// Checks the claims in the header comments of an extracted program (program_heading.h): its environment,
/// size, exact return and faithfulness. Faithfulness needs what it was extracted from: `against`, or
/// else `optimal` or `uniform` if the header names it, or the model.safetensors in the same folder, if it has
/// the fingerprint that the header names. Empty for a program without a header. Throws Error if `against`
/// cannot be read.
std::vector<ProgramClaim> check_claims(const PolicySource& program, const std::optional<Input>& against);

}  // namespace ndnf
