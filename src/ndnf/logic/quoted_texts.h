#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// The quoted texts of a program, which solvers get to see as numbered ones ("ndnf000017"): what somebody
/// put between quotes is nothing that a solver should have to read. Their order stays.
/// REQUIRES: as in what our reader accepts, there is no backslash, and no quote outside of quoted texts.
class QuotedTexts {
 public:
  explicit QuotedTexts(std::string_view program);

  /// The text with every quoted text numbered.
  std::string hide(std::string_view text) const;
  /// The text as it was before `hide`. Numbers that there are not stay.
  std::string reveal(std::string_view text) const;

 private:
  std::vector<std::string> texts_;  ///< With their quotes, sorted by what is between them.
};

}  // namespace ndnf
