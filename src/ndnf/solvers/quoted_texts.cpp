#include "ndnf/solvers/quoted_texts.h"

#include <charconv>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::string_view kPrefix = "ndnf";

/// By the kind of quote, then by the text between the quotes.
bool text_less(std::string_view a, std::string_view b) {
  return a.substr(0, a.size() - 1) < b.substr(0, b.size() - 1);
}

}  // namespace

QuotedTexts::QuotedTexts(std::vector<std::string> texts) : texts_(std::move(texts)) {
  std::sort(texts_.begin(), texts_.end(), text_less);
  texts_.erase(std::unique(texts_.begin(), texts_.end()), texts_.end());
}

std::string QuotedTexts::hidden(std::string_view text, char quote) const {
  const auto found = std::lower_bound(texts_.begin(), texts_.end(), text, text_less);
  return fmt::format("{0}{1}{2:08}{0}", quote, kPrefix, found - texts_.begin());
}

std::string QuotedTexts::reveal(std::string_view answer) const {
  std::string out;
  for_each_part(answer, [&](std::string_view part, bool quoted) {
    std::size_t number = texts_.size();
    if (quoted && part.size() > kPrefix.size() + 2) {
      std::from_chars(part.data() + 1 + kPrefix.size(), part.data() + part.size() - 1, number);
    }
    out += number < texts_.size() ? texts_[number] : std::string(part);
  });
  return out;
}

}  // namespace ndnf
