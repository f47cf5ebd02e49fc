#include "ndnf/syntax/term_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxOperators = 200;
constexpr std::string_view kArgument = "an argument: a number, a name or a quoted text";

/// Those that clingo and ProbLog read alike.
constexpr std::string_view kProbLogOperators = "+-*";
constexpr std::size_t kNone = std::string_view::npos;

struct Operator {
  std::string_view symbol;
  int precedence;
};
/// From lowest to highest precedence; only ** is right-associative.
constexpr std::array<Operator, 10> kOperators{
    {{"..", 1}, {"^", 2}, {"?", 3}, {"&", 4}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"\\", 6}, {"**", 7}}};

const Operator* operator_of(const Token& token, bool asp) {
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const Operator& known) { return token.is(known.symbol); });
  const bool known = found != kOperators.end() && (asp || kProbLogOperators.find(found->symbol) != kNone);
  return known ? &*found : nullptr;
}

/// The least and the greatest term.
bool is_limit(const Token& token) {
  return token.kind == TokenKind::kDirective && (token.text == "#inf" || token.text == "#sup");
}

}  // namespace

void TermParser::needs_grounding() {
  if (!reason_) reason_ = tokens_.token().place;
}

/// Precedence climbing: parses operators with at least precedence `lowest`.
Term TermParser::term(std::string_view expected, int lowest) {
  if (++depth_ > kMaxDepth) {
    throw Wrong{tokens_.token().place,
                fmt::format("the brackets are nested too deeply, expected at most {}", kMaxDepth)};
  }
  Term left = primary(expected);
  std::size_t operators = 0;
  const auto next = [&] { return operator_of(tokens_.token(), tokens_.asp()); };
  for (const Operator* op = next(); op != nullptr && op->precedence >= lowest; op = next()) {
    needs_grounding();
    if (++operators > kMaxOperators) {
      throw Wrong{tokens_.token().place,
                  fmt::format("the term is too long, expected at most {} operators", kMaxOperators)};
    }
    tokens_.take();
    Term right = term("a term", op->symbol == "**" ? op->precedence : op->precedence + 1);
    const Place place = left.place;
    left = {Term::Kind::kOperation, std::string(op->symbol), {std::move(left), std::move(right)}, place};
  }
  --depth_;
  return left;
}

Term TermParser::primary(std::string_view expected) {
  if (tokens_.is("-")) return negative(expected);
  if (tokens_.is("|") && tokens_.asp()) return absolute();
  if (tokens_.is("(")) return bracket();
  if (tokens_.is(TokenKind::kVariable)) return variable();
  if (tokens_.is(TokenKind::kInteger)) return number(false);
  if (tokens_.is(TokenKind::kQuoted)) return leaf(Term::Kind::kQuoted);
  if (tokens_.asp() && is_limit(tokens_.token())) return leaf(Term::Kind::kFunction);
  return atom(expected);
}

Term TermParser::leaf(Term::Kind kind) {
  Term term{kind, std::string(tokens_.token().text), {}, tokens_.token().place};
  tokens_.take();
  return term;
}

/// clingo's numbers have 32 bits (larger ones silently wrap around), and none begins with 0.
Term TermParser::number(bool negative) {
  const std::string_view digits = tokens_.token().text;
  std::int64_t value = 0;
  const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc() &&
                    value <= std::numeric_limits<std::int32_t>::max();
  if (!fits || (digits.size() > 1 && digits[0] == '0')) {
    tokens_.fail("a whole number up to 2147483647 that does not begin with 0");
  }
  Term term = leaf(Term::Kind::kNumber);
  if (negative && value != 0) term.text.insert(0, 1, '-');
  return term;
}

Term TermParser::negative(std::string_view expected) {
  const Place place = tokens_.token().place;
  tokens_.take();
  if (tokens_.is(TokenKind::kInteger)) {
    Term term = number(true);
    term.place = place;
    return term;
  }
  if (!tokens_.asp() || !tokens_.is(TokenKind::kName)) needs_grounding();
  if (++depth_ > kMaxDepth) tokens_.fail("fewer signs");
  Term inner = primary(expected);
  --depth_;
  if (inner.kind == Term::Kind::kNumber && inner.text == "0") {  // -0 is written 0
    inner.place = place;
    return inner;
  }
  return {Term::Kind::kNegative, "", {std::move(inner)}, place};
}

Term TermParser::absolute() {
  needs_grounding();
  const Place place = tokens_.token().place;
  tokens_.take();
  Term term{Term::Kind::kAbsolute, "", {this->term("a term")}, place};
  tokens_.expect("|", fmt::format("| for the one at {}:{}", place.line, place.column));
  return term;
}

Term TermParser::variable() {
  needs_grounding();
  return leaf(Term::Kind::kVariable);
}

Term TermParser::atom(std::string_view expected) {
  if (!tokens_.is(TokenKind::kName) || tokens_.is_name("not")) tokens_.fail(expected);
  Term term = leaf(Term::Kind::kFunction);
  if (!tokens_.is("(")) return term;
  std::vector<Arguments> lists = arguments(false);
  if (lists.size() == 1) {
    term.arguments = std::move(lists[0].terms);
    return term;
  }
  Term pool{Term::Kind::kPool, term.text, {}, term.place};
  for (Arguments& list : lists) {
    pool.arguments.push_back({Term::Kind::kFunction, term.text, std::move(list.terms), term.place});
  }
  return pool;
}

/// A parenthesised term, a tuple, or a pool of either.
Term TermParser::bracket() {
  const Place place = tokens_.token().place;
  std::vector<Term> parts;
  for (Arguments& list : arguments(tokens_.asp())) {
    if (list.tuple && !tokens_.asp())
      throw Wrong{place, "tuples are not supported in ProbLog: name the term"};
    parts.push_back(list.tuple ? Term{Term::Kind::kTuple, "", std::move(list.terms), place}
                               : std::move(list.terms[0]));
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return {Term::Kind::kPool, "", std::move(parts), place};
}

/// The contents between ( and ), split at semicolons. `tuples`: () and a trailing comma are allowed.
std::vector<TermParser::Arguments> TermParser::arguments(bool tuples) {
  const Place open = tokens_.token().place;
  std::vector<Arguments> lists;
  do {
    if (!lists.empty()) needs_pool();
    tokens_.take();
    lists.push_back(argument_list(open, tuples));
  } while (tokens_.is(";"));
  close(open);
  return lists;
}

/// At a semicolon between arguments.
void TermParser::needs_pool() {
  if (!tokens_.asp()) tokens_.fail("a comma or )");
  needs_grounding();
}

TermParser::Arguments TermParser::argument_list(Place open, bool tuples) {
  if (tuples && tokens_.is(")")) return {{}, true};
  Arguments list{{term(kArgument)}, false};
  while (tokens_.is(",")) {
    list.tuple = true;
    tokens_.take();
    if (tuples && tokens_.is_one_of({")", ";"})) break;
    list.terms.push_back(term(kArgument));
  }
  if (!tokens_.is_one_of({")", ";"})) close(open);
  return list;
}

void TermParser::close(Place open) {
  tokens_.expect(
      ")", fmt::format("a comma or ) because the bracket at {}:{} is not closed", open.line, open.column));
}

}  // namespace ndnf
