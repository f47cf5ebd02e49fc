#include "ndnf/base/toml_nesting.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr std::size_t kMostBrackets = 16;
constexpr std::size_t kMostDots = 16;  // in one key, or in one number

/// Scans TOML text, skipping the contents of quoted strings and comments.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  std::size_t line() const {
    return 1 + static_cast<std::size_t>(
                   std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

  /// The next character outside strings and comments; a quoted string counts as one quote character.
  char next() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      return text_[at_++];
    }
    if (c == '"' || c == '\'') {
      skip_quoted(c);
    } else {
      ++at_;
    }
    return c;
  }

 private:
  void skip_quoted(char quote) {
    const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
    const bool lines = text_.substr(at_).starts_with(three);
    at_ += lines ? three.size() : 1;
    while (!done() && (lines || text_[at_] != '\n')) {
      if (lines ? text_.substr(at_).starts_with(three) : text_[at_] == quote) {
        at_ += lines ? three.size() : 1;
        for (int more = 0; lines && more < 2 && !done() && text_[at_] == quote; ++more) ++at_;
        return;
      }
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

void check_toml_nesting(std::string_view where, std::string_view text) {
  Walker walker(text);
  std::size_t brackets = 0;
  std::size_t dots = 0;
  while (!walker.done()) {
    const char c = walker.next();
    if (c == '.') {
      ++dots;
    } else if (std::string_view("\n=,/[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (brackets > kMostBrackets || dots > kMostDots)
      throw Error({std::string(where), {static_cast<std::uint32_t>(walker.line()), 0}},
                  "is nested too deeply");
  }
}

}  // namespace ndnf
