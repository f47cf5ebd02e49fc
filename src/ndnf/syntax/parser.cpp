#include "ndnf/syntax/parser.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/term_parser.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

constexpr std::string_view kNotGround =
    "this rule is not ground, expected one without variables, comparisons and arithmetic";

/// The comparison operator of a token in canonical form, or nothing.
std::string comparison_of(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return "";
  if (token.text == "==") return "=";
  if (token.text == "<>") return "!=";
  for (const std::string_view known : {"<", "<=", ">", ">=", "=", "!="}) {
    if (token.text == known) return std::string(known);
  }
  return "";
}

std::string opposite(const std::string& comparison) {
  if (comparison == "=") return "!=";
  if (comparison == "!=") return "=";
  if (comparison == "<") return ">=";
  if (comparison == "<=") return ">";
  return comparison == ">" ? "<=" : "<";
}

/// A rule during parsing, before it is known whether it is ground.
struct ReadRule {
  std::vector<HeadAtom> heads;  ///< The atoms' texts are still missing.
  std::vector<Term> head_terms;
  std::vector<OpenLiteral> body;
  Place place{};
};

class Parser {
 public:
  Parser(std::string_view where, std::string_view text, Syntax syntax, Mistakes& mistakes, bool reserved)
      : tokens_(text, syntax), terms_(tokens_), mistakes_(mistakes), reserved_allowed_(reserved) {
    parsed_.program.syntax = syntax;
    parsed_.program.source = where;
  }

  ParsedProgram run() {
    while (!tokens_.is(TokenKind::kEnd) && !mistakes_.enough()) statement();
    parsed_.program.closing_comments = tokens_.lexer().take_comments();
    return std::move(parsed_);
  }

 private:
  bool asp() const { return tokens_.asp(); }
  Place place() const { return tokens_.token().place; }

  void statement() {
    Statement statement{tokens_.lexer().take_comments(), {}, {}};
    terms_.restart();
    try {
      statement.content = content();
      finish(std::move(statement));
    } catch (const Wrong& wrong) {
      mistakes_.add(wrong.place, wrong.what);
      while (!tokens_.is(".") && !tokens_.is(TokenKind::kEnd)) tokens_.take();
      tokens_.lexer().take_comments();
      if (tokens_.is(".")) tokens_.take();
    }
  }

  /// At the final dot: comments within the statement are moved before it, the one after it is its remark.
  void finish(Statement statement) {
    for (std::string& comment : tokens_.lexer().take_comments()) {
      if (!comment.empty()) statement.comments.push_back(std::move(comment));
    }
    statement.remark = tokens_.lexer().take_remark();
    parsed_.program.statements.push_back(std::move(statement));
    tokens_.take();
  }

  std::variant<Rule, Directive> content() {
    if (tokens_.is(TokenKind::kDirective)) return directive();
    if (!asp() && tokens_.is_name("query")) return query();
    if (!asp() && tokens_.is_name("evidence")) {
      throw Wrong{place(), "evidence is not supported: the observation gives what is true, expected a rule"};
    }
    return settled(rule());
  }

  /// `#show.`, `#show name/arity` or `#defined name/arity`.
  Directive directive() {
    Directive directive{std::string(tokens_.token().text), place()};
    const bool show = directive.text == "#show";
    if (!asp() || (!show && directive.text != "#defined")) {
      tokens_.fail(asp() ? "#show, #defined or a rule" : "a rule");
    }
    tokens_.take();
    if (show && tokens_.is(".")) return directive;
    if (!tokens_.is(TokenKind::kName)) tokens_.fail("a name, as in #show action/1");
    directive.text += fmt::format(" {}/", tokens_.token().text);
    tokens_.take();
    tokens_.expect("/", "/ and the number of arguments, as in #show action/1");
    if (!tokens_.is(TokenKind::kInteger)) tokens_.fail("the number of arguments, as in #show action/1");
    directive.text += tokens_.token().text;
    tokens_.take();
    if (!tokens_.is(".")) tokens_.fail("a dot");
    return directive;
  }

  /// ProbLog's `query(atom)`, which may have variables.
  Directive query() {
    Directive directive{"", place()};
    terms_.allow_variables(true);
    const Term term = terms_.atom("a query");
    terms_.allow_variables(false);
    if (term.arguments.size() != 1 || !is_atom(term.arguments[0])) {
      throw Wrong{directive.place, fmt::format("found {}, expected query(ATOM)", to_text(term))};
    }
    if (!tokens_.is(".")) tokens_.fail("a dot");
    directive.text = to_text(term);
    return directive;
  }

  ReadRule rule() {
    ReadRule rule;
    rule.place = place();
    if (tokens_.is(TokenKind::kInteger) || tokens_.is(TokenKind::kDecimal)) {
      alternatives(rule);
    } else {
      add_head(rule, {"", 1, false, place()}, tokens_.is(":-") ? "an atom: a rule has a head" : "an atom");
    }
    if (tokens_.is(":-")) {
      do {
        tokens_.take();
        rule.body.push_back(literal());
      } while (tokens_.is(","));
      if (!tokens_.is(".")) tokens_.fail("a comma or a dot");
    }
    if (tokens_.is_one_of({";", "|"}) && asp()) tokens_.fail("`:-` or a dot: a rule has one head");
    if (!tokens_.is(".")) tokens_.fail(asp() ? "`:-` or a dot" : "`:-`, a semicolon or a dot");
    return rule;
  }

  void add_head(ReadRule& rule, HeadAtom head, std::string_view expected) {
    head.place = place();
    rule.head_terms.push_back(terms_.atom(expected));
    refuse_reserved(rule.head_terms.back(), true);
    rule.heads.push_back(std::move(head));
  }

  /// `p::atom ; p::atom ; …`
  void alternatives(ReadRule& rule) {
    if (asp()) tokens_.fail("an atom: probabilities belong in a ProbLog program (.pl)");
    double sum = 0;
    for (;;) {
      HeadAtom head{"", probability(), true, {}};
      sum += head.probability;
      tokens_.take();
      tokens_.expect("::", "`::` after a probability");
      add_head(rule, std::move(head), "an atom");
      if (!tokens_.is(";")) break;
      tokens_.take();
      if (!tokens_.is(TokenKind::kInteger) && !tokens_.is(TokenKind::kDecimal)) {
        tokens_.fail("a probability");
      }
    }
    if (sum > kLargestSum) {
      throw Wrong{rule.place, fmt::format("the probabilities sum to {}, expected at most 1", sum)};
    }
  }

  double probability() const {
    const std::string_view text = tokens_.token().text;
    double value = 0;
    const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
    if (error != std::errc() || value > 1 || value < 0) {
      throw Wrong{place(), fmt::format("the probability is {}, expected one from 0 to 1", text)};
    }
    return value;
  }

  /// An atom or a comparison of terms, negated or not.
  OpenLiteral literal() {
    OpenLiteral literal;
    const Place begin = place();
    for (; asp() ? tokens_.is_name("not") : tokens_.is("\\+"); tokens_.take()) {
      literal.positive = !literal.positive;
      literal.binds = false;
    }
    if (asp() && tokens_.is("\\")) tokens_.fail("not, ASP's negation");
    if (!asp() && tokens_.is_name("not")) tokens_.fail("\\+, ProbLog's negation");
    const bool named = tokens_.is(TokenKind::kName);
    literal.left = terms_.term("an atom");
    literal.comparison = comparison_of(tokens_.token());
    if (!literal.comparison.empty()) return comparison(std::move(literal));
    if (!named || !is_atom(literal.left)) tokens_.fail("a comparison");
    refuse_reserved(literal.left, false);
    literal.left.place = begin;
    return literal;
  }

  OpenLiteral comparison(OpenLiteral literal) {
    terms_.needs_grounding("a comma or a dot");
    tokens_.take();
    literal.right = terms_.term("a term");
    if (!comparison_of(tokens_.token()).empty()) tokens_.fail("a comma: one comparison at a time");
    if (!literal.positive) literal.comparison = opposite(literal.comparison);
    literal.positive = literal.binds = true;
    return literal;
  }

  void refuse_reserved(const Term& atom, bool head) const {
    if (reserved_allowed_) return;
    const Term& first = *ndnf::alternatives(atom).front();
    const std::size_t arity = first.arguments.size();
    if (is_ours(atom.text) || (!asp() && head && is_problogs(atom.text, arity))) {
      throw Wrong{atom.place, fmt::format("the name {} is {}, expected another", signature(first),
                                          is_ours(atom.text) ? "reserved" : "ProbLog's own")};
    }
  }

  /// Stores the rule itself if it is ground; otherwise adds it to the open ones.
  Rule settled(ReadRule read) {
    if (terms_.reason()) {
      parsed_.open.push_back({parsed_.program.statements.size(), std::move(read.head_terms[0]),
                              std::move(read.body), *terms_.reason()});
      return {};
    }
    Rule rule{std::move(read.heads), {}, read.place};
    for (std::size_t i = 0; i < rule.heads.size(); ++i) rule.heads[i].atom = to_text(read.head_terms[i]);
    for (const OpenLiteral& literal : read.body) {
      rule.body.push_back({to_text(literal.left), literal.positive, literal.left.place});
    }
    return rule;
  }

  TokenStream tokens_;
  TermParser terms_;
  Mistakes& mistakes_;
  bool reserved_allowed_;
  ParsedProgram parsed_;
};

void require_ground(const ParsedProgram& parsed, Mistakes& mistakes) {
  for (const OpenRule& open : parsed.open) mistakes.add(open.reason, std::string(kNotGround));
  mistakes.throw_if_any();
}

}  // namespace

ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes) {
  const Place invalid = find_invalid_utf8(text);
  if (invalid.line > 0) {
    mistakes.add(invalid, "this byte is not UTF-8, expected a text file in UTF-8");
    return {};
  }
  return Parser(where, text, syntax, mistakes, false).run();
}

Program parse_program(std::string_view where, std::string_view text, Syntax syntax) {
  Mistakes mistakes(where);
  ParsedProgram parsed = parse_open_program(where, text, syntax, mistakes);
  require_ground(parsed, mistakes);
  return std::move(parsed.program);
}

std::vector<Rule> parse_instances(std::string_view text) {
  Mistakes mistakes("clingo");
  ParsedProgram parsed = Parser("clingo", text, Syntax::kAsp, mistakes, true).run();
  require_ground(parsed, mistakes);
  std::vector<Rule> rules;
  for (Statement& statement : parsed.program.statements) {
    if (auto* rule = std::get_if<Rule>(&statement.content)) rules.push_back(std::move(*rule));
  }
  return rules;
}

}  // namespace ndnf
