#pragma once

#include <string>
#include <string_view>

namespace ndnf::fuzz {

/// What a target does with an input, defined once per target. It may refuse the input by an Error. Anything
/// else that is thrown, a crash, a leak, a second without an end, or a `require` that fails is a finding.
void try_input(std::string_view input);

/// Says `what` and aborts unless it holds.
void require(bool holds, std::string_view what);

/// A file that holds the input, for readers of files: rewritten for each input, removed at the end.
const std::string& input_file(std::string_view name, std::string_view input);

/// try_input, with Errors taken for what they are: refusals.
void run_once(std::string_view input);

}  // namespace ndnf::fuzz
