#pragma once

#include <string_view>

namespace ndnf {

/// Throws Error naming `where` and the line if brackets or the parts of a dotted key are nested deeper than
/// any setting needs. The parser takes a step of its stack for each level, so it must not see such a text.
void check_toml_nesting(std::string_view where, std::string_view text);

}  // namespace ndnf
