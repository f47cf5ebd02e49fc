#pragma once

#include <string_view>

namespace ndnf {

/// Throws Error naming `where` and the line if brackets or dotted keys are nested deeper than any setting
/// needs. The TOML parser recurses once per level, so such text must be rejected before it overflows the
/// stack.
void check_toml_nesting(std::string_view where, std::string_view text);

}  // namespace ndnf
