#include "ndnf/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "ndnf/base/plain_text.h"

namespace ndnf {
namespace {

constexpr std::array<std::string_view, 10> kLongSymbols{
    ":-", "::", ":~", "..", "<=", ">=", "!=", "==", "<>", "**"};
/// Of ProbLog alone. Longer ones come first, so that the first match is the longest.
constexpr std::array<std::string_view, 9> kProbLogSymbols{"=:=", "=\\=", "\\==", "->", "\\+",
                                                          "\\=", "=<",   "//",   "=="};
constexpr std::string_view kShortSymbols = "(),;.<>=+-*/\\|{}[]:@&^?";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::size_t word_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
}

/// A comment line as stored in programs: without its mark, one leading space, and trailing spaces. " " is a
/// comment without text, "" an empty line.
std::string tidy(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos) return " ";
  line = line.substr(0, last + 1);
  if (line.front() == ' ') line.remove_prefix(1);
  return std::string(line);
}

/// The lines of a comment; for a block without empty lines at its ends.
std::vector<std::string> tidy_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(tidy(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (lines.size() > 1 && lines.back() == " ") lines.pop_back();
  if (lines.size() > 1 && lines.front() == " ") lines.erase(lines.begin());
  return lines;
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

std::optional<HiddenText> find_hidden_text(std::string_view text) {
  const std::string_view inside = without_byte_order_mark(text);
  const auto hidden = find_hidden(inside);
  if (!hidden) return std::nullopt;
  Place place{1, 1};
  for (const char c : inside.substr(0, hidden->at)) {
    if (c == '\n') {
      place = {place.line + 1, 1};
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80) {
      ++place.column;
    }
  }
  return HiddenText{place, hidden->what};
}

Lexer::Lexer(std::string_view text, Syntax syntax) : text_(without_byte_order_mark(text)), syntax_(syntax) {}

void Lexer::advance(std::size_t bytes) {
  for (const std::size_t end = at_ + bytes; at_ < end; ++at_) {
    if (text_[at_] == '\n') {
      place_ = {place_.line + 1, 1};
    } else if ((static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80) {
      ++place_.column;
    }
  }
}

/// Skips spaces up to the end of the line, or the line break itself. False if something else is next.
bool Lexer::skip_space() {
  const std::size_t begin = at_;
  while (peek() == ' ' || peek() == '\t' || peek() == '\r') advance(1);
  if (peek() == '\n') {
    advance(1);
    if (++fresh_lines_ > 1) comments_.emplace_back();
  }
  return at_ > begin;
}

bool Lexer::at_block_comment() const {
  return syntax_ == Syntax::kAsp ? peek() == '%' && peek(1) == '*' : peek() == '/' && peek(1) == '*';
}

/// The text of the comment that begins here. Blocks nest in ASP. A `%` within one makes clingo skip the rest
/// of the line, including an end of the block, which is not what a reader expects.
Lexer::Comment Lexer::read_comment() {
  if (!at_block_comment()) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    advance(end - at_);
    return {inside, {}};
  }
  const bool nests = syntax_ == Syntax::kAsp;
  const std::string_view close = nests ? "*%" : "*/";
  const std::size_t begin = at_ + 2;
  std::size_t end = begin;
  for (std::size_t depth = 1; depth > 0;) {
    if (end >= text_.size()) return {{}, "this comment does not end"};
    const std::string_view two = text_.substr(end, 2);
    const bool opens = nests && two == "%*";
    if (nests && two[0] == '%' && !opens)
      return {{}, "this block comment has a % in it, which clingo reads as a comment within the comment"};
    if (two == close) --depth;
    if (opens) ++depth;
    end += two == close || opens ? 2 : 1;
  }
  advance(end - at_);
  return {text_.substr(begin, end - 2 - begin), {}};
}

Token Lexer::next() {
  for (;;) {
    if (skip_space()) continue;
    if (peek() != '%' && !at_block_comment()) break;
    const Token token{TokenKind::kUnknown, {}, place_, {}};
    const Comment comment = read_comment();
    if (!comment.problem.empty()) return unknown(token, text_.size() - at_, comment.problem);
    for (std::string& line : tidy_lines(comment.inside)) comments_.push_back(std::move(line));
    fresh_lines_ = 0;
  }
  fresh_lines_ = 0;
  Token token{TokenKind::kEnd, {}, place_, {}};
  if (at_ == text_.size()) return token;
  const char c = peek();
  if (is_digit(c)) return read_number(token);
  if (is_word(c)) return read_word(token);
  if (c == '"' || (c == '\'' && syntax_ == Syntax::kProbLog)) return read_quoted(token);
  if (c == '#') return finish(token, TokenKind::kDirective, 1 + word_length(text_.substr(at_ + 1)));
  return read_symbol(token);
}

Token Lexer::finish(Token token, TokenKind kind, std::size_t length) {
  token.kind = kind;
  token.text = text_.substr(at_, length);
  after_name_ = kind == TokenKind::kName && token.text != "is";
  advance(length);
  return token;
}

Token Lexer::unknown(Token token, std::size_t length, std::string_view problem) {
  token.problem = problem;
  return finish(token, TokenKind::kUnknown, length);
}

/// In ASP names and variables may begin with `_`, but not with `_1`, which clingo reads as two tokens.
Token Lexer::read_word(Token token) {
  const std::string_view word = text_.substr(at_, word_length(text_.substr(at_)));
  if (syntax_ == Syntax::kProbLog) {
    return finish(token, is_lower(word[0]) ? TokenKind::kName : TokenKind::kVariable, word.size());
  }
  const std::size_t letter = word.find_first_not_of('_');
  if (letter == word.npos || is_digit(word[letter])) return finish(token, TokenKind::kVariable, 1);
  return finish(token, is_lower(word[letter]) ? TokenKind::kName : TokenKind::kVariable, word.size());
}

/// A decimal point is followed by a digit: `hand(12..16)` and `level(3).` have none.
Token Lexer::read_number(Token token) {
  std::size_t length = 0;
  const auto skip_digits = [&] {
    while (is_digit(peek(length))) ++length;
  };
  skip_digits();
  TokenKind kind = TokenKind::kInteger;
  if (peek(length) == '.' && is_digit(peek(length + 1))) {
    kind = TokenKind::kDecimal;
    ++length;
    skip_digits();
  }
  const std::size_t sign = peek(length + 1) == '-' || peek(length + 1) == '+' ? 1 : 0;
  if ((peek(length) == 'e' || peek(length) == 'E') && is_digit(peek(length + 1 + sign))) {
    kind = TokenKind::kDecimal;
    length += 1 + sign;
    skip_digits();
  }
  return finish(token, kind, length);
}

/// Solvers disagree about the meaning of a backslash in a quoted text, and ProbLog about where the text ends.
Token Lexer::read_quoted(Token token) {
  const std::string_view rest = text_.substr(at_ + 1);
  const std::size_t stop = static_cast<std::size_t>(
      std::find_if(rest.begin(), rest.end(),
                   [&](char c) { return c == peek() || c == '\\' || c == '\n' || c == '\t'; }) -
      rest.begin());
  if (stop == rest.size() || rest[stop] == '\n') {
    return unknown(token, 1, "this quoted text does not end on its line");
  }
  if (rest[stop] == '\\') return unknown(token, 1, "this quoted text has a backslash in it");
  if (rest[stop] == '\t') return unknown(token, 1, "this quoted text has a tab in it");
  return finish(token, TokenKind::kQuoted, stop + 2);
}

/// ProbLog ends a statement with a dot and a space; the dots in `x.y` and `x.0.4` mean something else.
bool Lexer::at_loose_dot() const {
  if (syntax_ != Syntax::kProbLog || peek() != '.' || at_ + 1 == text_.size()) return false;
  return std::isspace(static_cast<unsigned char>(peek(1))) == 0 && peek(1) != '%' &&
         !(peek(1) == '/' && peek(2) == '*');
}

/// ProbLog accepts `hand(1)` but not `hand (1)`; elsewhere a bracket may stand alone.
bool Lexer::at_loose_bracket() const {
  if (syntax_ != Syntax::kProbLog || peek() != '(' || !after_name_) return false;
  const char before = text_[at_ - 1];
  return std::isspace(static_cast<unsigned char>(before)) != 0 || before == '/';
}

Token Lexer::read_symbol(Token token) {
  const std::string_view rest = text_.substr(at_);
  if (at_loose_dot()) return unknown(token, 1, "this dot is not followed by a space");
  if (at_loose_bracket()) return unknown(token, 1, "this bracket does not directly follow a name");
  const auto begins = [&](std::string_view symbol) { return rest.starts_with(symbol); };
  if (syntax_ == Syntax::kProbLog) {
    const auto own = std::find_if(kProbLogSymbols.begin(), kProbLogSymbols.end(), begins);
    if (own != kProbLogSymbols.end()) return finish(token, TokenKind::kSymbol, own->size());
  }
  if (std::any_of(kLongSymbols.begin(), kLongSymbols.end(), begins))
    return finish(token, TokenKind::kSymbol, 2);
  if (kShortSymbols.find(rest[0]) != std::string_view::npos) return finish(token, TokenKind::kSymbol, 1);
  return finish(token, TokenKind::kUnknown, std::max<std::size_t>(1, utf8_length(rest)));
}

std::vector<std::string> Lexer::take_comments() { return std::exchange(comments_, {}); }

std::string Lexer::take_remark() {
  std::string remark;
  for (;;) {
    Lexer ahead = *this;
    while (ahead.peek() == ' ' || ahead.peek() == '\t' || ahead.peek() == '\r') ahead.advance(1);
    if (ahead.peek() != '%' && !ahead.at_block_comment()) return remark;
    const Comment comment = ahead.read_comment();
    if (!comment.problem.empty() || comment.inside.find('\n') != std::string_view::npos) return remark;
    const std::string text = tidy(comment.inside);
    if (remark.empty() || remark == " ") {
      remark = text;
    } else if (text != " ") {
      remark += ' ' + text;
    }
    *this = std::move(ahead);
  }
}

}  // namespace ndnf
