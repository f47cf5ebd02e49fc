#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "ndnf/syntax/lexer.h"

namespace ndnf {

/// Aborts the parsing of a statement: its error.
struct Wrong {
  Place place;
  std::string what;
};

/// The tokens of a program, one at a time.
class TokenStream {
 public:
  TokenStream(std::string_view text, Syntax syntax) : lexer_(text, syntax), syntax_(syntax) { take(); }

  bool asp() const { return syntax_ == Syntax::kAsp; }
  const Token& token() const { return token_; }
  Lexer& lexer() { return lexer_; }
  void take() {
    if (!token_.text.empty()) previous_end_ = token_.text.data() + token_.text.size();
    token_ = lexer_.next();
  }
  /// Where the token before this one ends; null before the first.
  const char* previous_end() const { return previous_end_; }

  bool is(std::string_view symbol) const { return token_.is(symbol); }
  bool is(TokenKind kind) const { return token_.kind == kind; }
  bool is_name(std::string_view name) const { return is(TokenKind::kName) && token_.text == name; }
  bool is_one_of(std::initializer_list<std::string_view> symbols) const;

  /// Throws Wrong: "found …, expected …"; or the problem of the token itself; or, where it identifies a
  /// construct that is not supported, that construct and why.
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws Wrong: "CONSTRUCT not supported: WHY", where the construct ends in "is" or "are".
  [[noreturn]] void refuse(std::string_view construct, std::string_view why) const;
  void expect(std::string_view symbol, std::string_view expected);

 private:
  Lexer lexer_;
  Syntax syntax_;
  Token token_;
  const char* previous_end_ = nullptr;
};

}  // namespace ndnf
