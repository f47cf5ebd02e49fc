#include "ndnf/syntax/parser.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/body_parser.h"
#include "ndnf/syntax/constants.h"
#include "ndnf/syntax/term_parser.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

constexpr std::string_view kNotGround =
    "this rule is not ground, expected one without variables, comparisons and arithmetic";

/// A rule during parsing, before it is known whether it is ground.
struct ReadRule {
  std::vector<HeadAtom> heads;  ///< The atoms' texts are still missing.
  std::vector<Term> head_terms;
  std::vector<OpenBody> bodies;
  Place place{};
};

class Parser {
 public:
  Parser(std::string_view where, std::string_view text, Syntax syntax, Mistakes& mistakes, bool reserved)
      : text_(text),
        tokens_(text, syntax),
        terms_(tokens_),
        bodies_(tokens_, terms_, reserved),
        mistakes_(mistakes),
        reserved_allowed_(reserved) {
    if (syntax == Syntax::kAsp && !reserved) constants_ = Constants(text);
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
    span_ = {offset(), 0, 0, 0};
    try {
      statement.content = content();
      finish(std::move(statement));
    } catch (const Wrong& wrong) {
      mistakes_.add(wrong.place, wrong.what);
      while (!tokens_.is(".") && !tokens_.is(TokenKind::kEnd)) tokens_.take();
      tokens_.lexer().take_comments();
      if (tokens_.is(".")) tokens_.take();
      skip_weight();
    }
  }

  /// `[1@2]` after a refused weak constraint or `#heuristic`.
  void skip_weight() {
    if (!asp() || !tokens_.is("[")) return;
    while (!tokens_.is("]") && !tokens_.is(TokenKind::kEnd)) tokens_.take();
    if (tokens_.is("]")) tokens_.take();
  }

  /// At the final dot: comments within the statement are moved before it, the one after it is its remark.
  void finish(Statement statement) {
    for (std::string& comment : tokens_.lexer().take_comments()) {
      if (!comment.empty()) statement.comments.push_back(std::move(comment));
    }
    statement.remark = tokens_.lexer().take_remark();
    parsed_.program.statements.push_back(std::move(statement));
    span_.last = static_cast<std::size_t>(tokens_.previous_end() - text_.data());
    span_.dot = offset();
    parsed_.spans.push_back(span_);
    tokens_.take();
  }

  /// Of the next token, in bytes.
  std::size_t offset() const {
    const char* at = tokens_.token().text.data();
    return at == nullptr ? text_.size() : static_cast<std::size_t>(at - text_.data());
  }

  std::variant<Rule, Directive> content() {
    if (!asp() && tokens_.is_name("query")) return query();
    if (!asp() && tokens_.is_name("evidence")) {
      throw Wrong{place(), "evidence is not supported: the observation gives what is true, expected a rule"};
    }
    if (asp() && tokens_.is(TokenKind::kDirective)) {
      const std::string_view name = tokens_.token().text;
      if (name == "#show") return show();
      if (name == "#defined") return defined();
      if (name == "#const") return constant();
      if (name == "#count" || name == "#sum" || name == "#min" || name == "#max") {
        tokens_.refuse("aggregates in heads are", "a policy has exactly one answer");
      }
      tokens_.fail("#show, #defined, #const or a rule");
    }
    return settled(rule());
  }

  [[noreturn]] void refuse_choice() const {
    tokens_.refuse("choice rules `{…}` are", "a policy has exactly one answer");
  }

  /// `#show`, `#show p/1`, `#show -p/1`, `#show term` or `#show term : body`.
  Directive show() {
    Directive directive{"#show", place()};
    tokens_.take();
    if (tokens_.is(".")) return directive;
    const Term term = terms_.term("a name, as in #show action/1");
    directive.text += " " + to_text(term);
    if (tokens_.is(":")) {
      tokens_.take();
      OpenRule shown;
      shown.head.text = kConstraint;
      if (!tokens_.is(".")) shown.body = bodies_.bodies()[0];
      directive.text += " :" + to_text(shown).substr(shown.body.empty() ? 0 : 2);
    }
    if (!tokens_.is(".")) tokens_.fail("a dot");
    return directive;
  }

  /// `#defined p/1, q/2`.
  Directive defined() {
    Directive directive{"#defined", place()};
    do {
      tokens_.take();
      if (!tokens_.is(TokenKind::kName)) tokens_.fail("a name, as in #defined extra/1");
      directive.text +=
          fmt::format("{} {}/", directive.text.ends_with("#defined") ? "" : ",", tokens_.token().text);
      tokens_.take();
      tokens_.expect("/", "/ and the number of arguments, as in #defined extra/1");
      if (!tokens_.is(TokenKind::kInteger)) tokens_.fail("the number of arguments, as in #defined extra/1");
      directive.text += tokens_.token().text;
      tokens_.take();
    } while (tokens_.is(","));
    if (!tokens_.is(".")) tokens_.fail("a dot");
    return directive;
  }

  /// `#const n = 3`; its value is in `constants_` already.
  Directive constant() {
    Directive directive{"", place()};
    tokens_.take();
    if (!tokens_.is(TokenKind::kName) || tokens_.is_name("not")) tokens_.fail("a name, as in #const n = 3");
    const std::string name(tokens_.token().text);
    if (!named_constants_.insert(name).second) {
      throw Wrong{place(), fmt::format("the constant {} has two values, expected one", name)};
    }
    tokens_.take();
    tokens_.expect("=", "= and the value, as in #const n = 3");
    const Term value = terms_.term("a value");
    refuse_many_values(value);
    if (!tokens_.is(".")) tokens_.fail("a dot");
    directive.text = fmt::format("#const {} = {}", name, to_text(value));
    return directive;
  }

  static void refuse_many_values(const Term& term) {
    if (term.kind == Term::Kind::kVariable || term.kind == Term::Kind::kPool ||
        (term.kind == Term::Kind::kOperation && term.text == "..")) {
      throw Wrong{term.place, fmt::format("{} has not one value, expected a constant term", to_text(term))};
    }
    for (const Term& argument : term.arguments) refuse_many_values(argument);
  }

  /// ProbLog's `query(atom)`, which may have variables.
  Directive query() {
    Directive directive{"", place()};
    const Term term = terms_.atom("a query");
    if (term.arguments.size() != 1 || !is_atom(term.arguments[0])) {
      throw Wrong{directive.place, fmt::format("found {}, expected query(ATOM)", to_text(term))};
    }
    refuse_arithmetic(term);
    if (!tokens_.is(".")) tokens_.fail("a dot");
    directive.text = to_text(term);
    return directive;
  }

  ReadRule rule() {
    ReadRule rule;
    rule.place = place();
    if (tokens_.is(":-")) {
      constraint(rule);
    } else if (!asp() && (tokens_.is(TokenKind::kInteger) || tokens_.is(TokenKind::kDecimal))) {
      alternatives(rule);
    } else {
      refuse_other_heads();
      add_head(rule, {"", 1, false, place()}, "an atom");
    }
    if (tokens_.is(":-")) {
      span_.body = offset() + 2;
      tokens_.take();
      rule.bodies = bodies_.bodies();
      for (const OpenBody& body : rule.bodies) refuse_reserved(body);
    }
    if (tokens_.is_one_of({";", "|"}) && asp()) {
      tokens_.refuse("disjunctions in heads are", "a policy has exactly one answer");
    }
    if (tokens_.is(":") && asp())
      tokens_.refuse("conditions in heads are", "a policy has exactly one answer");
    if (tokens_.is("-") && text_.substr(offset()).starts_with("-->"))
      tokens_.refuse("grammar rules `-->` are", "write `:-`");
    if (!tokens_.is(".")) tokens_.fail(asp() ? "`:-` or a dot" : "`:-`, a semicolon or a dot");
    return rule;
  }

  /// At `:-`.
  void constraint(ReadRule& rule) {
    if (!asp()) tokens_.refuse("directives `:- …` are", "a program consists of rules alone");
    rule.heads.push_back({std::string(kConstraint), 1, false, place()});
    rule.head_terms.push_back({Term::Kind::kFunction, std::string(kConstraint), {}, place()});
  }

  /// Throws Wrong at a probability that is not a number.
  void refuse_other_probabilities() const {
    constexpr std::string_view kWhy = "write a number";
    if (tokens_.is(TokenKind::kVariable)) tokens_.refuse("variables as probabilities `P::` are", kWhy);
    const std::string_view rest = text_.substr(offset());
    if (rest.starts_with("t(") && rest.find(")::") < rest.find('\n'))
      tokens_.refuse("probabilities to be learned `t(…)::` are", kWhy);
  }

  /// Throws Wrong at a head that is not an atom.
  void refuse_other_heads() {
    if (!asp()) return refuse_other_probabilities();
    if (tokens_.is("{")) refuse_choice();
    if (tokens_.is("-")) {
      tokens_.refuse("classical negation `-p` is", "write `not p`, or another name");
    }
    if (tokens_.is(TokenKind::kDecimal))
      tokens_.fail("an atom: probabilities belong in a ProbLog program (.pl)");
    if (!tokens_.is(TokenKind::kInteger) && !tokens_.is(TokenKind::kVariable)) return;
    const Token first = tokens_.token();
    tokens_.take();
    if (tokens_.is_one_of({"{", "<", "<=", "=", ">", ">=", "!="})) refuse_choice();
    if (tokens_.is("::")) tokens_.fail("an atom: probabilities belong in a ProbLog program (.pl)");
    throw Wrong{first.place, fmt::format("found {}, expected an atom", first.text)};
  }

  void add_head(ReadRule& rule, HeadAtom head, std::string_view expected) {
    head.place = place();
    rule.head_terms.push_back(terms_.atom(expected));
    refuse_reserved(rule.head_terms.back(), true);
    if (!asp()) refuse_arithmetic(rule.head_terms.back());
    rule.heads.push_back(std::move(head));
  }

  /// `p::atom ; p::atom ; …`
  void alternatives(ReadRule& rule) {
    double sum = 0;
    for (;;) {
      HeadAtom head{"", probability(), true, {}};
      sum += head.probability;
      tokens_.take();
      if (tokens_.is("/")) tokens_.refuse("fractions as probabilities are", "write a decimal number");
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

  void refuse_reserved(const OpenBody& body) const {
    for (const OpenLiteral& literal : body) {
      for_each_atom(literal, [&](const OpenLiteral& atom) { refuse_reserved(atom.left, false); });
    }
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
    const bool changed = replace_constants(read);
    if (terms_.reason() || (changed && !is_ground(read))) {
      parsed_.open.push_back(opened(std::move(read)));
      return {};
    }
    Rule rule{std::move(read.heads), {}, read.place, {}};
    for (std::size_t i = 0; i < rule.heads.size(); ++i) rule.heads[i].atom = to_text(read.head_terms[i]);
    if (read.bodies.empty()) return rule;
    for (const OpenLiteral& literal : read.bodies[0]) {
      rule.body.push_back({to_text(literal.left), literal.positive, literal.left.place});
    }
    return rule;
  }

  bool replace_constants(ReadRule& read) const {
    bool changed = false;
    for (Term& head : read.head_terms) changed |= constants_.apply_to_arguments(head);
    for (OpenBody& body : read.bodies) {
      for (OpenLiteral& literal : body) changed |= constants_.apply(literal);
    }
    return changed;
  }

  static bool is_ground(const ReadRule& read) {
    bool plain = std::all_of(read.head_terms.begin(), read.head_terms.end(), is_plain);
    for (const OpenBody& body : read.bodies) {
      for (const OpenLiteral& literal : body) plain = plain && is_plain(literal.left);
    }
    return plain;
  }

  OpenRule opened(ReadRule read) const {
    OpenRule open;
    open.statement = parsed_.program.statements.size();
    open.reason = terms_.reason().value_or(read.place);
    open.head = read.head_terms[0];
    open.head.place = read.place;
    for (std::size_t i = 0; i < read.heads.size() && read.heads[0].annotated; ++i) {
      open.choice.push_back({std::move(read.head_terms[i]), read.heads[i].probability});
    }
    if (read.bodies.empty()) return open;
    open.body = std::move(read.bodies[0]);
    open.other_bodies.assign(std::make_move_iterator(read.bodies.begin() + 1),
                             std::make_move_iterator(read.bodies.end()));
    return open;
  }

  std::string_view text_;
  TokenStream tokens_;
  TermParser terms_;
  BodyParser bodies_;
  Constants constants_;
  std::set<std::string> named_constants_;
  Mistakes& mistakes_;
  bool reserved_allowed_;
  StatementSpan span_;  ///< Of the current statement.
  ParsedProgram parsed_;
};

void require_ground(const ParsedProgram& parsed, Mistakes& mistakes) {
  for (const OpenRule& open : parsed.open) mistakes.add(open.reason, std::string(kNotGround));
  mistakes.throw_if_any();
}

}  // namespace

ParsedProgram parse_open_program(std::string_view where, std::string_view text, Syntax syntax,
                                 Mistakes& mistakes) {
  if (const auto hidden = find_hidden_text(text)) {
    mistakes.add(hidden->place, hidden->what + ", expected plain text in UTF-8");
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

ParsedProgram parse_instances(std::string_view text) {
  Mistakes mistakes("clingo");
  ParsedProgram parsed = Parser("clingo", text, Syntax::kAsp, mistakes, true).run();
  mistakes.throw_if_any();
  return parsed;
}

}  // namespace ndnf
