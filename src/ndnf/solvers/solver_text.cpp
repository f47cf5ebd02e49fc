#include "ndnf/solvers/solver_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/solvers/quoted_texts.h"
#include "ndnf/syntax/atoms.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/term_parser.h"

namespace ndnf {
namespace {

/// The syntax tree of a ground atom. Programs store atoms as text; the text for a solver is printed from
/// this.
Term tree_of(const std::string& atom, Syntax syntax) {
  try {
    TokenStream tokens(atom, syntax);
    TermParser terms(tokens);
    Term term = terms.atom("an atom");
    const bool reserved =
        (is_ours(term.text) && !is_auxiliary(atom) && !is_comparison(atom) && atom != kConstraint) ||
        (syntax == Syntax::kProbLog && is_problogs(term.text, term.arguments.size()));
    if (tokens.is(TokenKind::kEnd) && !terms.reason() && !reserved) return term;
  } catch (const Wrong&) {  // the same answer below
  }
  throw Error("", fmt::format("\"{}\" is not an atom that can be passed to a solver", atom));
}

Rule printed_anew(Rule rule, Syntax syntax) {
  for (HeadAtom& head : rule.heads) head.atom = to_text(tree_of(head.atom, syntax));
  for (BodyLiteral& literal : rule.body) literal.atom = to_text(tree_of(literal.atom, syntax));
  return rule;
}

}  // namespace

SolverText& SolverText::add(OwnText text) {
  text_ += text.text();
  return *this;
}

SolverText& SolverText::add(const SolverText& other) {
  for (const Quoted& quoted : other.quoted_) quoted_.push_back({text_.size() + quoted.at, quoted.text});
  text_ += other.text_;
  has_constraints_ |= other.has_constraints_;
  return *this;
}

SolverText& SolverText::add_rule(const Rule& rule, const SolverText& condition) {
  add_line(printed_anew(rule, syntax_), condition);
  return *this;
}

SolverText& SolverText::add_certain(const Rule& rule, const SolverText& condition) {
  Rule certain = printed_anew(rule, Syntax::kProbLog);
  for (const HeadAtom& head : std::exchange(certain.heads, {})) {
    certain.heads = {{head.atom, 1, false, {}}};
    add_line(certain, condition);
  }
  return *this;
}

void SolverText::add_line(const Rule& rule, const SolverText& condition) {
  has_constraints_ |= rule.heads.front().atom == kConstraint;
  append(to_text(rule, syntax_));
  if (!condition.text_.empty()) add(rule.body.empty() ? OwnText(" :- ") : OwnText(", ")).add(condition);
  add(".\n");
}

SolverText& SolverText::add(const OpenRule& rule) {
  has_constraints_ |= rule.head.text == kConstraint;
  append(to_text(rule, syntax_));
  return add(".\n");
}

SolverText& SolverText::add(const ParsedProgram& parsed) {
  for (const OpenRule& rule : parsed.open) add(rule);
  return add(parsed.program);
}

SolverText& SolverText::add(const Program& program) {
  for (const Statement& statement : program.statements) {
    const Rule* rule = std::get_if<Rule>(&statement.content);
    if (rule != nullptr && !rule->heads.empty()) add(*rule);  // empty: an open rule's placeholder
  }
  return *this;
}

SolverText& SolverText::add_atom(const Vocabulary& vocabulary, AtomId atom) {
  append(vocabulary.atom_name(atom));
  return *this;
}

SolverText& SolverText::add_indexed_atom(const Vocabulary& vocabulary, AtomId atom, std::size_t index) {
  const std::string& name = vocabulary.atom_name(atom);
  const bool closed = name.ends_with(')');
  append(closed ? name.substr(0, name.size() - 1) : name);
  return add(closed ? OwnText(",{})") : OwnText("({})"), index);
}

SolverText& SolverText::add_quantity(const Vocabulary& vocabulary, std::size_t quantity) {
  append(vocabulary.quantities()[quantity].name);
  return *this;
}

SolverText& SolverText::add_action(const Vocabulary& vocabulary, ActionId action) {
  append(vocabulary.action_name(action));
  return *this;
}

void SolverText::append(std::string_view printed) {
  for_each_part(printed, [&](std::string_view part, bool quoted) {
    if (quoted) {
      quoted_.push_back({text_.size(), std::string(part)});
    } else {
      text_ += part;
    }
  });
}

std::vector<std::string> SolverText::quoted_texts() const {
  std::vector<std::string> texts;
  std::transform(quoted_.begin(), quoted_.end(), std::back_inserter(texts),
                 [](const Quoted& quoted) { return quoted.text; });
  return texts;
}

std::string SolverText::sent() const {
  const QuotedTexts texts(quoted_texts());
  std::string out;
  std::size_t begin = 0;
  for (const Quoted& quoted : quoted_) {
    out.append(text_, begin, quoted.at - begin);
    out += texts.hidden(quoted.text, syntax_ == Syntax::kAsp ? '"' : quoted.text[0]);
    begin = quoted.at;
  }
  return out.append(text_, begin);
}

std::string SolverText::reveal(std::string_view answer) const {
  return QuotedTexts(quoted_texts()).reveal(answer);
}

SolverText solver_text(const ParsedProgram& parsed) { return SolverText(parsed.program.syntax).add(parsed); }

SolverText solver_text(const Program& program) { return SolverText(program.syntax).add(program); }

}  // namespace ndnf
