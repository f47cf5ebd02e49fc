#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ndnf::cli {

/// Help as CLI11 writes it, for a terminal of this width: descriptions are broken into lines that begin in
/// their column.
std::string fitted_help(std::string_view help, std::size_t width);

/// The same for standard output: as it is, if that is no terminal.
std::string help_text(std::string help);

}  // namespace ndnf::cli
