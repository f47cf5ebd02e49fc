#include "ndnf/syntax/body_parser.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::size_t kMostBodies = 1000;
constexpr std::size_t kMaxGroups = 64;

/// ASP's comparison operator of a token in canonical form, or nothing.
std::string comparison_of(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return "";
  if (token.text == "==") return "=";
  if (token.text == "<>") return "!=";
  for (const std::string_view known : {"<", "<=", ">", ">=", "=", "!="}) {
    if (token.text == known) return std::string(known);
  }
  return "";
}

/// The operators of ProbLog: as written, negated, and in ASP.
struct Operator {
  std::string_view symbol;
  std::string_view opposite;
  std::string_view in_asp;
  bool arithmetic;
};
constexpr std::array<Operator, 11> kProbLogOperators{{{"<", ">=", "<", true},
                                                      {">", "=<", ">", true},
                                                      {"=<", ">", "<=", true},
                                                      {">=", "<", ">=", true},
                                                      {"=:=", "=\\=", "=", true},
                                                      {"=\\=", "=:=", "!=", true},
                                                      {"is", "=\\=", "=", true},
                                                      {"=", "\\=", "=", false},
                                                      {"\\=", "=", "!=", false},
                                                      {"==", "\\==", "=", false},
                                                      {"\\==", "==", "!=", false}}};

const Operator* problog_operator(std::string_view symbol) {
  const auto found = std::find_if(kProbLogOperators.begin(), kProbLogOperators.end(),
                                  [&](const Operator& known) { return known.symbol == symbol; });
  return found == kProbLogOperators.end() ? nullptr : &*found;
}

const Operator* problog_operator(const Token& token) {
  const bool symbol =
      token.kind == TokenKind::kSymbol || (token.kind == TokenKind::kName && token.text == "is");
  return symbol ? problog_operator(token.text) : nullptr;
}

std::string opposite(const std::string& comparison) {
  if (comparison == "=") return "!=";
  if (comparison == "!=") return "=";
  if (comparison == "<") return ">=";
  if (comparison == "<=") return ">";
  return comparison == ">" ? "<=" : "<";
}

/// Only numbers and variables have a value in ProbLog's arithmetic.
void require_numbers(const Term& term) {
  if (term.kind == Term::Kind::kFunction || term.kind == Term::Kind::kQuoted) {
    throw Wrong{term.place,
                fmt::format("{} has no value, expected numbers and variables, with + - *", to_text(term))};
  }
  std::for_each(term.arguments.begin(), term.arguments.end(), require_numbers);
}

/// Every body of `a` with every body of `b`.
std::vector<OpenBody> product(const std::vector<OpenBody>& a, const std::vector<OpenBody>& b, Place place) {
  if (a.size() * b.size() > kMostBodies) {
    throw Wrong{place, fmt::format("the disjunctions multiply to {} bodies, expected at most {}",
                                   a.size() * b.size(), kMostBodies)};
  }
  std::vector<OpenBody> all;
  for (const OpenBody& left : a) {
    for (const OpenBody& right : b) {
      all.push_back(left);
      all.back().insert(all.back().end(), right.begin(), right.end());
    }
  }
  return all;
}

/// De Morgan: one negated literal of each body. All variables are bound before it, so this is exact.
std::vector<OpenBody> negation(const std::vector<OpenBody>& bodies, Place place) {
  std::vector<OpenBody> all{{}};
  for (const OpenBody& body : bodies) {
    std::vector<OpenBody> one_of;
    for (OpenLiteral literal : body) {
      if (literal.is_comparison()) {
        literal.comparison = problog_operator(literal.comparison)->opposite;
      } else {
        literal.positive = !literal.positive;
        literal.binds = false;
      }
      one_of.push_back({std::move(literal)});
    }
    all = product(all, one_of, place);
  }
  return all;
}

}  // namespace

std::string asp_comparison(std::string_view problog) {
  return std::string(problog_operator(problog)->in_asp);
}

bool is_arithmetic(std::string_view problog) { return problog_operator(problog)->arithmetic; }

void refuse_arithmetic(const Term& atom) {
  if (atom.kind == Term::Kind::kOperation || atom.kind == Term::Kind::kNegative) {
    throw Wrong{atom.place, fmt::format("ProbLog does not evaluate {} here, expected a variable and, in the "
                                        "body, `VARIABLE is {}`",
                                        to_text(atom), to_text(atom))};
  }
  std::for_each(atom.arguments.begin(), atom.arguments.end(), refuse_arithmetic);
}

std::vector<OpenBody> BodyParser::bodies() {
  if (tokens_.asp()) return {asp_body()};
  std::vector<OpenBody> all = disjunction();
  if (!tokens_.is(".")) tokens_.fail("a comma, a semicolon or a dot");
  return all;
}

OpenBody BodyParser::asp_body() {
  OpenBody body;
  for (;;) {
    body.push_back(literal());
    if (!tokens_.is_one_of({",", ";"})) break;
    tokens_.take();
  }
  if (!tokens_.is(".")) tokens_.fail("a comma or a dot");
  return body;
}

OpenBody BodyParser::condition() {
  OpenBody body;
  if (tokens_.is_one_of({".", ";", "}", "|"})) return body;
  for (;;) {
    OpenLiteral part = negated_part();
    if (part.is_aggregate())
      throw Wrong{part.left.place, "an aggregate in a condition is not supported: define an atom"};
    body.push_back(std::move(part));
    if (!tokens_.is(",")) return body;
    tokens_.take();
  }
}

OpenLiteral BodyParser::literal() {
  OpenLiteral part = negated_part();
  return tokens_.is(":") && !part.is_aggregate() ? with_condition(std::move(part)) : part;
}

/// An atom, a comparison or an aggregate, negated or not.
OpenLiteral BodyParser::negated_part() {
  OpenLiteral literal;
  const Place begin = tokens_.token().place;
  for (; tokens_.is_name("not"); tokens_.take()) {
    literal.positive = !literal.positive;
    literal.binds = false;
  }
  if (tokens_.is("\\")) tokens_.fail("not, ASP's negation");
  literal.left.place = begin;
  if (at_aggregate()) return aggregate(std::move(literal));
  if (tokens_.is(TokenKind::kDirective) &&
      (tokens_.token().text == "#true" || tokens_.token().text == "#false")) {
    const bool holds = (tokens_.token().text == "#true") == literal.positive;
    terms_.needs_grounding();
    tokens_.take();
    const Term zero{Term::Kind::kNumber, "0", {}, begin};
    return {true, true, zero, holds ? "=" : "!=", zero};
  }
  return atom_or_comparison(std::move(literal));
}

OpenLiteral BodyParser::atom_or_comparison(OpenLiteral literal) {
  const Place begin = literal.left.place;
  const bool named = tokens_.is(TokenKind::kName);
  literal.left = terms_.term("an atom");
  literal.comparison = comparison_of(tokens_.token());
  if (!literal.comparison.empty()) return comparison(std::move(literal));
  if (at_aggregate()) {  // `1 { … }` is `1 <= { … }`
    literal.comparison = "<=";
    return aggregate(std::move(literal));
  }
  if (!named || !is_atom(literal.left)) {
    if (literal.left.kind == Term::Kind::kNegative && is_atom(literal.left.arguments[0])) {
      throw Wrong{begin, "classical negation `-p` is not supported: write `not p`, or another name"};
    }
    tokens_.fail("a comparison");
  }
  literal.left.place = begin;
  return literal;
}

OpenLiteral BodyParser::comparison(OpenLiteral literal) {
  terms_.needs_grounding();
  tokens_.take();
  if (at_aggregate()) return aggregate(std::move(literal));
  literal.right = terms_.term("a term");
  if (!comparison_of(tokens_.token()).empty()) tokens_.fail("a comma: one comparison at a time");
  if (!literal.positive) literal.comparison = opposite(literal.comparison);
  literal.positive = literal.binds = true;
  return literal;
}

OpenLiteral BodyParser::with_condition(OpenLiteral literal) {
  literal.aggregate = ":";
  terms_.needs_grounding();
  do {
    tokens_.take();
    literal.elements.push_back({{}, condition()});
  } while (instances_ && tokens_.is("|"));
  if (!tokens_.is_one_of({";", "."})) tokens_.fail("a comma, a semicolon or a dot");
  return literal;
}

bool BodyParser::at_aggregate() const {
  constexpr std::array<std::string_view, 4> kNames{"#count", "#sum", "#min", "#max"};
  if (tokens_.is("{")) return true;
  return tokens_.is(TokenKind::kDirective) &&
         std::find(kNames.begin(), kNames.end(), tokens_.token().text) != kNames.end();
}

/// At its name or at `{`, after the left guard.
OpenLiteral BodyParser::aggregate(OpenLiteral literal) {
  terms_.needs_grounding();
  const bool set = tokens_.is("{");
  literal.aggregate = set ? "#count" : std::string(tokens_.token().text);
  if (!set) tokens_.take();
  if (literal.aggregate == "#sum" && tokens_.is("+")) {
    literal.aggregate += '+';
    tokens_.take();
  }
  const Place open = tokens_.token().place;
  if (!tokens_.is("{")) tokens_.fail("{ and the elements of the aggregate");
  do {
    tokens_.take();
    if (tokens_.is("}") && literal.elements.empty()) break;
    literal.elements.push_back(element(set));
  } while (tokens_.is(";"));
  tokens_.expect(
      "}", fmt::format("a semicolon or }} because the brace at {}:{} is not closed", open.line, open.column));
  if (tokens_.is_one_of({",", ";", ".", ":", "}", "|"})) return literal;
  literal.upper = comparison_of(tokens_.token());
  if (!literal.upper.empty()) tokens_.take();
  if (literal.upper.empty()) literal.upper = "<=";
  literal.right = terms_.term("a comparison, a comma or a dot");
  return literal;
}

/// `terms : condition`, or in `{ … }` without a name `literal : condition`.
OpenLiteral::Element BodyParser::element(bool set) {
  if (set) return set_element();
  OpenLiteral::Element element{{}, {}};
  while (!tokens_.is_one_of({":", ";", "}"})) {
    element.terms.push_back(terms_.term("a term"));
    if (!tokens_.is(",")) break;
    tokens_.take();
  }
  if (!tokens_.is(":")) return element;
  tokens_.take();
  element.condition = condition();
  return element;
}

/// `p(X) : q(X)` counts as `0,p(X) : p(X), q(X)`, and `not p(X)` as `1,p(X) : not p(X)`.
OpenLiteral::Element BodyParser::set_element() {
  OpenLiteral literal = negated_part();
  if (!literal.is_plain_atom())
    throw Wrong{literal.left.place, "only atoms can be counted in `{…}`, expected #count"};
  const Term kind{Term::Kind::kNumber, literal.positive ? "0" : "1", {}, literal.left.place};
  OpenLiteral::Element element{{kind, literal.left}, {std::move(literal)}};
  if (!tokens_.is(":")) return element;
  tokens_.take();
  OpenBody rest = condition();
  std::move(rest.begin(), rest.end(), std::back_inserter(element.condition));
  return element;
}

std::vector<OpenBody> BodyParser::disjunction() {
  std::vector<OpenBody> all = conjunction();
  while (tokens_.is(";")) {
    terms_.needs_grounding();
    tokens_.take();
    std::vector<OpenBody> more = conjunction();
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<OpenBody> BodyParser::conjunction() {
  std::vector<OpenBody> all = goal();
  while (tokens_.is(",")) {
    tokens_.take();
    const Place place = tokens_.token().place;
    all = product(all, goal(), place);
  }
  return all;
}

/// ProbLog: an atom, a comparison, a disjunction in brackets, or the negation of one.
std::vector<OpenBody> BodyParser::goal() {
  const Place begin = tokens_.token().place;
  if (depth_ >= kMaxGroups) tokens_.fail("fewer brackets and negations");
  if (tokens_.is_name("not")) tokens_.fail("\\+, ProbLog's negation");
  if (tokens_.is("\\+")) {
    tokens_.take();
    ++depth_;
    std::vector<OpenBody> inside = goal();
    --depth_;
    const bool simple = inside.size() == 1 && inside[0].size() == 1;
    if (!simple) terms_.needs_grounding();
    for (OpenBody& body : inside) {
      if (simple) body[0].left.place = begin;
    }
    return negation(inside, begin);
  }
  if (tokens_.is("(")) {
    tokens_.take();
    ++depth_;
    std::vector<OpenBody> inside = disjunction();
    --depth_;
    tokens_.expect(")", fmt::format("a comma, a semicolon or ) because the bracket at {}:{} is not closed",
                                    begin.line, begin.column));
    return inside;
  }
  OpenLiteral literal;
  literal.left.place = begin;
  return {{problog_comparison(std::move(literal))}};
}

OpenLiteral BodyParser::problog_comparison(OpenLiteral literal) {
  const bool named = tokens_.is(TokenKind::kName);
  literal.left = terms_.term("an atom");
  const Operator* op = problog_operator(tokens_.token());
  if (op == nullptr) {
    if (tokens_.is("<=")) tokens_.fail("=<, ProbLog's comparison");
    if (tokens_.is("!=")) tokens_.fail("=\\= for numbers or \\= for terms, ProbLog's comparisons");
    if (!named || !is_atom(literal.left)) tokens_.fail("a comparison");
    refuse_arithmetic(literal.left);
    return literal;
  }
  terms_.needs_grounding();
  tokens_.take();
  literal.comparison = op->symbol;
  literal.right = terms_.term("a term");
  if (problog_operator(tokens_.token()) != nullptr) tokens_.fail("a comma: one comparison at a time");
  if (!op->arithmetic) {
    refuse_arithmetic(literal.left);
    refuse_arithmetic(literal.right);
    return literal;
  }
  if (op->symbol == "is") {
    refuse_arithmetic(literal.left);
  } else {
    require_numbers(literal.left);
  }
  require_numbers(literal.right);
  return literal;
}

}  // namespace ndnf
