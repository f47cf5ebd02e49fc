#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// The candidate with the smallest edit distance from `word` (the first one on a tie), or "" if none is
/// close enough to be a likely typo.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean X?" if a candidate is close, otherwise "known: A, B" (at most 16 names).
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ndnf
