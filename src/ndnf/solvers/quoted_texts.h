#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// Calls `visit(part, quoted)` for the parts of a text in order; quoted parts include their quotes. REQUIRES:
/// as our parser guarantees, there is no backslash, and no quote outside of quoted texts.
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

/// Quoted texts, which solvers only see as numbers ("ndnf00000017"). Their order is preserved.
class QuotedTexts {
 public:
  /// Texts with their quotes, in any order and with duplicates.
  explicit QuotedTexts(std::vector<std::string> texts);

  /// The number of a text, in these quotes. REQUIRES: it is one of those given.
  std::string hidden(std::string_view text, char quote) const;
  /// A solver's output with the original texts. Unknown numbers are left unchanged.
  std::string reveal(std::string_view answer) const;

 private:
  std::vector<std::string> texts_;  ///< Sorted by what is between the quotes.
};

}  // namespace ndnf
