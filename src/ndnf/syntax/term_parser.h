#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "ndnf/syntax/term.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {

/// Parses terms with clingo's grammar and precedences. ProbLog has only the operators + - * and neither
/// tuples nor pools. Throws Wrong.
class TermParser {
 public:
  explicit TermParser(TokenStream& tokens) : tokens_(tokens) {}

  Term term(std::string_view expected, int lowest = 0);
  /// A name with or without arguments.
  Term atom(std::string_view expected);

  /// The first token since `restart` that makes a rule open.
  const std::optional<Place>& reason() const { return reason_; }
  void restart() {
    reason_.reset();
    depth_ = 0;
  }
  /// Records that the next token needs grounding.
  void needs_grounding();

 private:
  /// One list of arguments between parentheses or semicolons.
  struct Arguments {
    std::vector<Term> terms;
    bool tuple = false;  ///< It has a comma.
  };

  Term primary(std::string_view expected);
  Term leaf(Term::Kind kind);
  Term number(bool negative);
  Term negative(std::string_view expected);
  Term absolute();
  Term variable();
  Term bracket();
  std::vector<Arguments> arguments(bool tuples);
  Arguments argument_list(Place open, bool tuples);
  void needs_pool();
  void close(Place open);

  TokenStream& tokens_;
  std::optional<Place> reason_;
  std::size_t depth_ = 0;
};

}  // namespace ndnf
