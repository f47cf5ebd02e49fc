#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

enum class TokenKind : std::uint8_t {
  kName,       ///< `action`; also `not`.
  kVariable,   ///< `X`, `_`.
  kInteger,    ///< `18`.
  kDecimal,    ///< `0.25`, `1e-5`.
  kQuoted,     ///< `"a text"`, in ProbLog also `'a text'`, quotes included, without backslashes.
  kDirective,  ///< `#show`.
  kSymbol,     ///< `:-`, `(`, …
  kUnknown,    ///< In neither language, or read differently by solvers than it looks.
  kEnd,        ///< End of file.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  Place place{};
  std::string_view problem{};  ///< For kUnknown: the problem, if not the token itself.

  bool is(std::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }
};

/// Splits the text of a program into tokens and collects comments. Copies keep the position.
/// REQUIRES: the text has no find_hidden_text() and outlives the lexer.
class Lexer {
 public:
  Lexer(std::string_view text, Syntax syntax);

  Token next();
  /// Whether the next character is this one.
  bool at(char c) const { return peek() == c; }
  /// The number of bytes read so far.
  std::size_t position() const { return at_; }
  /// The comments skipped since the last call, as in Statement::comments.
  std::vector<std::string> take_comments();
  /// The comment on the rest of the line, as in Statement::remark.
  std::string take_remark();

 private:
  struct Comment {
    std::string_view inside{};
    std::string_view problem{};
  };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void advance(std::size_t bytes);
  bool skip_space();
  bool at_block_comment() const;
  bool at_loose_dot() const;
  bool at_loose_bracket() const;
  Comment read_comment();
  Token read_word(Token token);
  Token read_number(Token token);
  Token read_quoted(Token token);
  Token read_symbol(Token token);
  Token finish(Token token, TokenKind kind, std::size_t length);
  Token unknown(Token token, std::size_t length, std::string_view problem);

  std::string_view text_;
  Syntax syntax_;
  std::size_t at_ = 0;
  Place place_{1, 1};
  std::size_t fresh_lines_ = 1;  ///< Line breaks since the last token or comment; the file start counts.
  bool after_name_ = false;      ///< The last token is a name.
  std::vector<std::string> comments_;
};

/// The first character that must not be in a program, find_hidden(), and its place. Columns count characters.
struct HiddenText {
  Place place;
  std::string what;
};
std::optional<HiddenText> find_hidden_text(std::string_view text);

}  // namespace ndnf
