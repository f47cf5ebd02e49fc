#include "ndnf/logic/quoted_texts.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::string_view kPrefix = "ndnf";

/// By the kind of quote, then by what is between the quotes.
bool text_less(std::string_view a, std::string_view b) {
  return a.substr(0, a.size() - 1) < b.substr(0, b.size() - 1);
}

/// The text with `change(part)` instead of each quoted part, quotes included.
template <class Change>
std::string with_changed_quotes(std::string_view text, const Change& change) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_of("\"'"), text.size());
    out += text.substr(0, begin);
    if (begin == text.size()) break;
    const std::size_t end = std::min(text.find(text[begin], begin + 1), text.size() - 1) + 1;
    out += change(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace

QuotedTexts::QuotedTexts(std::string_view program) {
  with_changed_quotes(program, [this](std::string_view part) {
    texts_.emplace_back(part);
    return "";
  });
  std::sort(texts_.begin(), texts_.end(), text_less);
  texts_.erase(std::unique(texts_.begin(), texts_.end()), texts_.end());
}

std::string QuotedTexts::hide(std::string_view text) const {
  return with_changed_quotes(text, [this](std::string_view part) {
    const auto found = std::lower_bound(texts_.begin(), texts_.end(), part, text_less);
    return fmt::format("{0}{1}{2:08}{0}", part[0], kPrefix, found - texts_.begin());
  });
}

std::string QuotedTexts::reveal(std::string_view text) const {
  return with_changed_quotes(text, [this](std::string_view part) {
    std::size_t number = texts_.size();
    if (part.size() > kPrefix.size() + 2) {
      std::from_chars(part.data() + 1 + kPrefix.size(), part.data() + part.size() - 1, number);
    }
    return number < texts_.size() ? texts_[number] : std::string(part);
  });
}

}  // namespace ndnf
