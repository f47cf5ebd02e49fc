#include "ndnf/report/html_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "ndnf/base/palette.h"

namespace ndnf {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The end of the token that begins at `at`, and its class; "" for plain text.
struct Token {
  std::size_t end;
  const char* kind;
};

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

Token token_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '%') return {std::min(text.find('\n', at), text.size()), "c"};
  if (c == '"' || c == '\'') {
    const std::size_t end = text.find(c, at + 1);
    return {end == std::string_view::npos ? text.size() : end + 1, "n"};
  }
  if (is_digit(c)) {
    std::size_t end = at;
    while (end < text.size() &&
           (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    return {end, "n"};
  }
  if (is_word(c)) {
    const std::size_t end = end_of_word(text, at);
    return {end, text.substr(at, end - at) == "not" ? "k" : ""};
  }
  for (const std::string_view sign : {":-", "::", "\\+"}) {
    if (text.substr(at, 2) == sign) return {at + 2, "k"};
  }
  return {at + 1, ""};
}

/// The end of `action(NAME)` at this place and the number of NAME; nothing if it is something else.
struct ActionAtom {
  std::size_t end = 0;
  std::size_t number = 0;
};
ActionAtom action_at(std::string_view text, std::size_t at, const std::vector<std::string>& actions) {
  constexpr std::string_view kHead = "action(";
  if (text.substr(at, kHead.size()) != kHead || (at > 0 && is_word(text[at - 1]))) return {};
  const std::size_t close = text.find(')', at);
  if (close == std::string_view::npos) return {};
  const std::string_view name = text.substr(at + kHead.size(), close - at - kHead.size());
  const auto found = std::find(actions.begin(), actions.end(), name);
  if (found == actions.end()) return {};
  return {close + 1, static_cast<std::size_t>(found - actions.begin())};
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string inline_html(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = text.find_first_of("`*");
    const std::size_t end = mark == std::string_view::npos ? mark : text.find(text[mark], mark + 1);
    if (end == std::string_view::npos) return out + html_escaped(text);
    const std::string_view tag = text[mark] == '`' ? "code" : "em";
    out += html_escaped(text.substr(0, mark));
    out += fmt::format("<{0}>{1}</{0}>", tag, html_escaped(text.substr(mark + 1, end - mark - 1)));
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string program_html(std::string_view text, const std::vector<std::string>& actions) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (const ActionAtom action = action_at(text, at, actions); action.end > 0) {
      out += fmt::format("<b class=\"a\" style=\"--a:{}\">{}</b>", action_colour(action.number).hex(),
                         html_escaped(text.substr(at, action.end - at)));
      at = action.end;
      continue;
    }
    const Token token = token_at(text, at);
    const std::string words = html_escaped(text.substr(at, token.end - at));
    out += *token.kind == '\0' ? words : fmt::format("<span class=\"{}\">{}</span>", token.kind, words);
    at = token.end;
  }
  return out;
}

}  // namespace ndnf
