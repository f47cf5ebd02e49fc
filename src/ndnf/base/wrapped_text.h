#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// The number of UTF-8 characters, each of which counts as one column; colours (terminal.h) count as none.
std::size_t letters(std::string_view text);

/// The text in lines of at most `width` columns, broken at spaces; a longer word is cut. At least one line.
/// REQUIRES: width > 0.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// The text, or its beginning and … if it has more than `width` columns.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace ndnf
