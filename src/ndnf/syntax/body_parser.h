#pragma once

#include <vector>

#include "ndnf/syntax/term.h"
#include "ndnf/syntax/term_parser.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {

/// Parses what follows `:-`. Throws Wrong.
class BodyParser {
 public:
  /// `instances`: the text is clingo's, which joins the conditions of a conditional literal by `|`.
  BodyParser(TokenStream& tokens, TermParser& terms, bool instances)
      : tokens_(tokens), terms_(terms), instances_(instances) {}

  /// The body up to the final dot. In ProbLog it may be a disjunction; in ASP there is one.
  std::vector<OpenBody> bodies();
  /// Conditions after a colon, up to what cannot follow one.
  OpenBody condition();

 private:
  OpenBody asp_body();
  OpenLiteral literal();
  OpenLiteral negated_part();
  OpenLiteral atom_or_comparison(OpenLiteral literal);
  OpenLiteral comparison(OpenLiteral literal);
  OpenLiteral truth_value();
  OpenLiteral with_condition(OpenLiteral literal);
  bool at_aggregate() const;
  OpenLiteral aggregate(OpenLiteral literal);
  OpenLiteral::Element element(bool set);
  OpenLiteral::Element set_element();

  std::vector<OpenBody> disjunction();
  std::vector<OpenBody> conjunction();
  std::vector<OpenBody> goal();
  OpenLiteral problog_comparison(OpenLiteral literal);

  TokenStream& tokens_;
  TermParser& terms_;
  bool instances_;
  std::size_t depth_ = 0;
};

/// Throws Wrong for arithmetic in the arguments of an atom, which ProbLog does not evaluate.
void refuse_arithmetic(const Term& atom);

/// The operators of arithmetic comparisons in ProbLog, and what they are in ASP: `=:=` is `=`.
std::string asp_comparison(std::string_view problog);
/// Whether ProbLog evaluates both sides, or the right one.
bool is_arithmetic(std::string_view problog);

}  // namespace ndnf
