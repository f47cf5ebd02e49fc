#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// The candidate with the fewest single-letter edits from `word` (the first of equals), or "" when none is
/// near enough to be a likely slip of the finger.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean X?" when a candidate is near, otherwise "known are A, B" (the first 16).
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ndnf
