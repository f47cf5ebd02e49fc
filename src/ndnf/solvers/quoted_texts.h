#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// Calls `visit(part, quoted)` with the parts of a text one after the other; those that are quoted have their
/// quotes. REQUIRES: as in what our reader accepts, there is no backslash, and no quote outside of them.
template <class Visit>
void for_each_part(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_of("\"'"), text.size());
    if (begin > 0) visit(text.substr(0, begin), false);
    if (begin == text.size()) break;
    const std::size_t end = std::min(text.find(text[begin], begin + 1), text.size() - 1) + 1;
    visit(text.substr(begin, end - begin), true);
    text.remove_prefix(end);
  }
}

/// Quoted texts, which solvers get to see as numbered ones ("ndnf00000017"). Their order stays.
class QuotedTexts {
 public:
  /// Texts with their quotes, in any order and as often as they come.
  explicit QuotedTexts(std::vector<std::string> texts);

  /// The number of a text, in quotes. REQUIRES: it is one of those given.
  std::string hidden(std::string_view text) const;
  /// What a solver says, with the texts as they were. Numbers that there are not stay.
  std::string reveal(std::string_view answer) const;

 private:
  std::vector<std::string> texts_;  ///< Sorted by what is between the quotes.
};

}  // namespace ndnf
