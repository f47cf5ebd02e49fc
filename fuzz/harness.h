#pragma once

#include <string_view>

namespace ndnf::fuzz {

/// Runs a target on an input; defined once per target. The target may reject the input by an Error. Any other
/// exception, a crash, a leak, more than a second, or a failed `require` is a finding.
void try_input(std::string_view input);

/// Prints `what` and aborts unless the condition holds.
void require(bool holds, std::string_view what);

/// try_input, where Errors count as rejections of the input.
void run_once(std::string_view input);

}  // namespace ndnf::fuzz
