#pragma once

#include <string>
#include <string_view>

namespace ndnf {

/// The difference of two texts in the unified format of `diff -u`, with three lines of context; empty if they
/// are equal. The fewest changed lines (Myers' algorithm).
std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text);

}  // namespace ndnf
