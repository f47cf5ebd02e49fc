#include "ndnf/logic/parser.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ndnf/logic/annotations.h"
#include "ndnf/logic/lexer.h"

namespace ndnf {
namespace {

constexpr std::size_t kMaxDepth = 64;

/// Ends the reading of a statement: what is wrong with it.
struct Wrong {
  Place place;
  std::string what;
};

/// Ends the reading of a statement as a ground one: it has something that clingo must ground.
struct NotGround {
  Place place;
};

bool is_one_of(const Token& token, std::initializer_list<std::string_view> symbols) {
  return token.kind == TokenKind::kSymbol &&
         std::find(symbols.begin(), symbols.end(), token.text) != symbols.end();
}
bool is_comparison(const Token& token) {
  return is_one_of(token, {"<", ">", "<=", ">=", "=", "==", "!=", "<>"});
}
bool is_arithmetic(const Token& token) {
  return is_one_of(token, {"..", "+", "-", "*", "/", "\\", "**", "^", "?", "&"});
}

std::string found(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the file ends";
  if (token.kind == TokenKind::kUnknown && (token.text == "%*" || token.text == "/*")) {
    return "this comment does not end";
  }
  if (token.kind == TokenKind::kUnknown && (token.text == "\"" || token.text == "'")) {
    return "this quoted text does not end on its line";
  }
  if (token.text.front() >= 0 && token.text.front() < ' ') {
    return fmt::format("found the control character {}", static_cast<int>(token.text.front()));
  }
  return fmt::format("found {}", token.text);
}

class Parser {
 public:
  Parser(std::string_view where, std::string_view text, Syntax syntax, Mistakes& mistakes)
      : lexer_(text, syntax), mistakes_(mistakes) {
    parsed_.program.syntax = syntax;
    parsed_.program.source = where;
  }

  ParsedProgram run() {
    take();
    while (token_.kind != TokenKind::kEnd && !mistakes_.enough()) statement();
    parsed_.program.closing_comments = lexer_.take_comments();
    return std::move(parsed_);
  }

 private:
  bool asp() const { return parsed_.program.syntax == Syntax::kAsp; }
  void take() { token_ = lexer_.next(); }

  [[noreturn]] void fail(std::string_view expected) const {
    throw Wrong{token_.place, fmt::format("{}, expected {}", found(token_), expected)};
  }
  void expect(std::string_view symbol, std::string_view expected) {
    if (!token_.is(symbol)) fail(expected);
    take();
  }
  /// What only clingo can ground; ProbLog programs must be ground.
  void require_ground(bool open, std::string_view what) const {
    if (!open) return;
    if (asp()) throw NotGround{token_.place};
    throw Wrong{token_.place, fmt::format("found {}, but a ProbLog program must be ground: expected {}",
                                          token_.text, what)};
  }

  void statement() {
    Statement statement{lexer_.take_comments(), {}, {}};
    const std::pair<Lexer, Token> start{lexer_, token_};
    try {
      try {
        statement.content = content();
      } catch (const NotGround& reason) {
        std::tie(lexer_, token_) = start;
        statement.content = Rule{};
        open_rule(reason.place);
      }
      finish(std::move(statement));
    } catch (const Wrong& wrong) {
      mistakes_.add(wrong.place, wrong.what);
      while (!token_.is(".") && token_.kind != TokenKind::kEnd) take();
      lexer_.take_comments();
      if (token_.is(".")) take();
    }
  }

  /// At the final dot: comments from within the statement go before it, the one after it is its remark.
  void finish(Statement statement) {
    if (!token_.is(".")) fail("a dot");
    for (std::string& comment : lexer_.take_comments()) {
      if (!comment.empty()) statement.comments.push_back(std::move(comment));
    }
    statement.remark = lexer_.take_remark();
    parsed_.program.statements.push_back(std::move(statement));
    take();
  }

  std::variant<Rule, Directive> content() {
    if (token_.kind == TokenKind::kDirective) return directive();
    if (!asp() && token_.kind == TokenKind::kName && token_.text == "query") return query();
    if (!asp() && token_.kind == TokenKind::kName && token_.text == "evidence") {
      throw Wrong{token_.place, "evidence is not read: the observation gives what is true, expected a rule"};
    }
    return rule();
  }

  /// `#show.`, `#show name/arity` or `#defined name/arity`.
  Directive directive() {
    Directive directive{std::string(token_.text), token_.place};
    const bool show = token_.text == "#show";
    if (!asp() || (!show && token_.text != "#defined")) fail(asp() ? "#show, #defined or a rule" : "a rule");
    take();
    if (show && token_.is(".")) return directive;
    if (token_.kind != TokenKind::kName) fail("a name, as in #show action/1");
    directive.text += fmt::format(" {}/", token_.text);
    take();
    expect("/", "/ and the number of arguments, as in #show action/1");
    if (token_.kind != TokenKind::kInteger) fail("the number of arguments, as in #show action/1");
    directive.text += token_.text;
    take();
    return directive;
  }

  /// ProbLog's query, kept as written: it may have variables.
  Directive query() {
    Directive directive{"", token_.place};
    const char* begin = token_.text.data();
    const char* end = begin;
    std::size_t depth = 0;
    while (!token_.is(".")) {
      if (token_.kind == TokenKind::kEnd || token_.kind == TokenKind::kUnknown) fail("a dot");
      if (token_.is("(")) ++depth;
      if (token_.is(")") && depth-- == 0) fail("a dot");
      if (begin != end && token_.text.data() != end) directive.text += ' ';
      directive.text += token_.text;
      end = token_.text.data() + token_.text.size();
      take();
    }
    if (depth > 0) fail("), for a bracket is not closed");
    return directive;
  }

  Rule rule() {
    Rule rule;
    rule.place = token_.place;
    if (token_.kind == TokenKind::kInteger || token_.kind == TokenKind::kDecimal) {
      alternatives(rule);
    } else {
      const Place place = token_.place;
      rule.heads.push_back(
          {atom(token_.is(":-") ? "an atom: a rule has a head" : "an atom"), 1, false, place});
    }
    if (token_.is(":-")) {
      do {
        take();
        rule.body.push_back(literal());
      } while (token_.is(","));
      if (!token_.is(".")) fail("a comma or a dot");
    }
    if (!token_.is(".")) fail(asp() ? "`:-` or a dot" : "`:-`, a semicolon or a dot");
    return rule;
  }

  /// `p::atom ; p::atom ; …`
  void alternatives(Rule& rule) {
    if (asp()) fail("an atom: probabilities belong into a ProbLog program (.pl)");
    for (;;) {
      HeadAtom head{"", probability(), true, token_.place};
      take();
      expect("::", "`::` after a probability");
      head.place = token_.place;
      head.atom = atom("an atom");
      rule.heads.push_back(std::move(head));
      if (!token_.is(";")) break;
      take();
      if (token_.kind != TokenKind::kInteger && token_.kind != TokenKind::kDecimal) fail("a probability");
    }
    const double sum = sum_of_annotations(rule);
    if (sum > kLargestSum) {
      mistakes_.add(rule.place, fmt::format("the probabilities sum to {}, expected at most 1", sum));
    }
  }

  double probability() {
    double value = 0;
    std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), value);
    if (value > 1 || value < 0) {
      mistakes_.add(token_.place,
                    fmt::format("the probability is {}, expected one from 0 to 1", token_.text));
    }
    return value;
  }

  BodyLiteral literal() {
    BodyLiteral literal{"", true, token_.place};
    const auto negation = [this] {
      return asp() ? token_.kind == TokenKind::kName && token_.text == "not" : token_.is("\\+");
    };
    for (; negation(); take()) literal.positive = !literal.positive;
    const bool term = token_.kind == TokenKind::kVariable || token_.kind == TokenKind::kInteger ||
                      token_.kind == TokenKind::kQuoted || token_.is("(") || token_.is("-");
    require_ground(term, "an atom");
    if (asp() && token_.is("\\")) fail("not, ASP's negation");
    if (!asp() && token_.text == "not") fail("\\+, ProbLog's negation");
    literal.atom = atom("an atom");
    require_ground(is_comparison(token_) || is_arithmetic(token_), "a comma or a dot");
    return literal;
  }

  /// A name with or without arguments, written without spaces.
  std::string atom(std::string_view expected, std::size_t depth = 0) {
    if (token_.kind != TokenKind::kName || token_.text == "not") fail(expected);
    if (depth > kMaxDepth) {
      throw Wrong{token_.place,
                  fmt::format("the brackets are nested too deeply, expected at most {}", kMaxDepth)};
    }
    std::string text(token_.text);
    take();
    if (!token_.is("(")) return text;
    const Place open = token_.place;
    do {
      text += token_.text;
      take();
      text += argument(depth);
      require_ground(is_arithmetic(token_) || token_.is(";"), "a comma or )");
    } while (token_.is(","));
    expect(")", fmt::format("a comma or ), for the bracket at {}:{} is not closed", open.line, open.column));
    return text + ')';
  }

  std::string argument(std::size_t depth) {
    constexpr std::string_view kExpected = "an argument: a number, a name or a quoted text";
    require_ground(token_.kind == TokenKind::kVariable || token_.is("("), kExpected);
    if (token_.kind == TokenKind::kName) return atom(kExpected, depth + 1);
    std::string text;
    if (token_.is("-")) {
      text = "-";
      take();
      require_ground(token_.kind != TokenKind::kInteger, "a number");
    }
    if (token_.kind == TokenKind::kInteger) {
      check_integer();
    } else if (token_.kind != TokenKind::kQuoted || !text.empty()) {
      fail(kExpected);
    }
    text += token_.text;
    take();
    return text == "-0" ? "0" : text;
  }

  /// clingo's numbers have 32 bits (larger ones wrap round silently), and none begins with 0.
  void check_integer() const {
    std::int64_t value = 0;
    const char* end = token_.text.data() + token_.text.size();
    const bool fits = std::from_chars(token_.text.data(), end, value).ec == std::errc() &&
                      value <= std::numeric_limits<std::int32_t>::max();
    if (!fits || (token_.text.size() > 1 && token_.text[0] == '0')) {
      fail("a whole number up to 2147483647 that does not begin with 0");
    }
  }

  void open_rule(Place reason) {
    OpenRule open;
    open.statement = parsed_.program.statements.size();
    open.place = token_.place;
    open.reason = reason;
    const char* begin = token_.text.data();
    open.head = open_atom();
    if (token_.is(":-")) {
      open.fact = false;
      do {
        take();
        open_literal(open.body);
      } while (token_.is(","));
    }
    if (!token_.is(".")) fail(open.fact ? "`:-` or a dot" : "a comma or a dot");
    open.text = {begin, static_cast<std::size_t>(token_.text.data() - begin)};
    parsed_.open.push_back(std::move(open));
  }

  OpenAtom open_atom() {
    if (token_.kind != TokenKind::kName) fail("an atom");
    OpenAtom atom{std::string(token_.text), 0, "", true, token_.place};
    const std::string_view name = token_.text;
    take();
    atom.text = name;
    if (token_.is("(")) atom.text += open_term(atom);
    return atom;
  }

  /// An atom, or a comparison of terms, negated or not.
  void open_literal(std::vector<OpenAtom>& body) {
    while (token_.kind == TokenKind::kName && token_.text == "not") take();
    OpenAtom first{"", 0, "", true, token_.place};
    const bool named = token_.kind == TokenKind::kName;
    if (named) {
      first = open_atom();
    } else {
      open_operand(first);
    }
    bool compared = false;
    while (is_comparison(token_) || is_arithmetic(token_)) {
      compared |= is_comparison(token_);
      take();
      OpenAtom ignored;
      open_operand(ignored);
    }
    if (!compared && !named) fail("a comparison");
    if (!compared) body.push_back(std::move(first));
  }

  /// A term of a comparison: a number, a variable, a name, or brackets around some.
  void open_operand(OpenAtom& into) {
    while (token_.is("-")) take();
    const bool word = token_.kind == TokenKind::kName;
    if (!word && !token_.is("(") && token_.kind != TokenKind::kVariable &&
        token_.kind != TokenKind::kInteger && token_.kind != TokenKind::kQuoted) {
      fail("an atom, a variable or a number");
    }
    if (!token_.is("(")) take();
    if (token_.is("(")) open_term(into);
  }

  /// Everything from ( to its ), counting the arguments.
  std::string open_term(OpenAtom& atom) {
    const Place open = token_.place;
    std::string text;
    std::size_t depth = 0;
    bool pooled = false;  // p(1,2;3,4) is p(1,2) and p(3,4)
    atom.arity = 1;
    do {
      const bool plain = token_.kind == TokenKind::kName || token_.kind == TokenKind::kInteger ||
                         token_.kind == TokenKind::kQuoted || is_one_of(token_, {"(", ")", ","});
      if (!plain && token_.kind != TokenKind::kVariable && !is_arithmetic(token_) && !token_.is(";")) {
        fail(fmt::format("a term or ), for the bracket at {}:{} is not closed", open.line, open.column));
      }
      atom.ground &= plain;
      if (token_.is("(")) ++depth;
      if (token_.is(")")) --depth;
      pooled |= token_.is(";") && depth == 1;
      if (token_.is(",") && depth == 1 && !pooled) ++atom.arity;
      text += token_.text;
      take();
    } while (depth > 0);
    return text;
  }

  Lexer lexer_;
  Mistakes& mistakes_;
  Token token_;
  ParsedProgram parsed_;
};

}  // namespace

ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes) {
  const Place invalid = find_invalid_utf8(text);
  if (invalid.line > 0) {
    mistakes.add(invalid, "this byte is not UTF-8, expected a text file in UTF-8");
    return {};
  }
  return Parser(where, text, syntax, mistakes).run();
}

Program parse_program(std::string_view where, std::string_view text, Syntax syntax) {
  Mistakes mistakes(where);
  ParsedProgram parsed = parse_open_program(where, text, syntax, mistakes);
  for (const OpenRule& open : parsed.open) {
    mistakes.add(open.reason,
                 "this rule is not ground, expected one without variables, comparisons and arithmetic");
  }
  mistakes.throw_if_any();
  return std::move(parsed.program);
}

}  // namespace ndnf
