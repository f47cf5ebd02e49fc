#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// A text from our own source code: only constant expressions can be converted.
class OwnText {
 public:
  consteval OwnText(const char* text) : text_(text) {}
  const char* text() const { return text_; }

 private:
  const char* text_;
};

/// The only kind of input that solvers get. It is built from texts of our own source code, numbers, and rules
/// and names printed from a syntax tree. So nothing from a file reaches a solver except names, numbers and
/// rules. Quoted texts are replaced by numbered ones ("ndnf00000017"): solvers need not parse arbitrary text.
class SolverText {
 public:
  explicit SolverText(Syntax syntax = Syntax::kAsp) : syntax_(syntax) {}

  SolverText& add(OwnText text);
  /// Each {} of the text is replaced by the next number.
  template <class... Numbers>
  requires(sizeof...(Numbers) > 0 &&
           (std::is_arithmetic_v<Numbers> && ...)) SolverText& add(OwnText text, Numbers... numbers) {
    text_ += fmt::format(fmt::runtime(text.text()), numbers...);
    return *this;
  }
  SolverText& add(const SolverText& other);

  /// The rule on its own line, with an additional condition if it is not empty. Throws Error if an atom is
  /// malformed or has a name reserved by the solver or by us.
  SolverText& add_rule(const Rule& rule, const SolverText& condition);
  SolverText& add(const Rule& rule) { return add_rule(rule, SolverText()); }
  /// A ProbLog rule in ASP: one rule for each of its heads, without probabilities.
  SolverText& add_certain(const Rule& rule, const SolverText& condition);
  /// The same, but reserved names of ours are allowed.
  SolverText& add(const OpenRule& rule);
  /// All rules, without comments and directives.
  SolverText& add(const ParsedProgram& parsed);
  SolverText& add(const Program& program);
  /// The name of an atom, or of an action.
  SolverText& add_atom(const Vocabulary& vocabulary, AtomId atom);
  /// The same with a number as a further, last argument: hand(18,3).
  SolverText& add_indexed_atom(const Vocabulary& vocabulary, AtomId atom, std::size_t index);
  /// The name of a quantity.
  SolverText& add_quantity(const Vocabulary& vocabulary, std::size_t quantity);
  SolverText& add_action(const Vocabulary& vocabulary, ActionId action);

  Syntax syntax() const { return syntax_; }
  /// Whether it has an integrity constraint: then there may be no answer.
  bool has_constraints() const { return has_constraints_; }
  /// The text that the solver reads.
  std::string sent() const;
  /// The solver's output with the original quoted texts.
  std::string reveal(std::string_view answer) const;

 private:
  friend class SolverTextOfATest;  // only defined in tests, to give solvers any text
  struct Quoted {
    std::size_t at;    ///< The position in text_ where it belongs.
    std::string text;  ///< With its quotes.
  };

  void append(std::string_view printed);
  void add_line(const Rule& rule, const SolverText& condition);
  std::vector<std::string> quoted_texts() const;

  Syntax syntax_;
  std::string text_;
  std::vector<Quoted> quoted_;
  bool has_constraints_ = false;
};

/// The rules of a program for a real solver to evaluate.
SolverText solver_text(const ParsedProgram& parsed);
SolverText solver_text(const Program& program);

}  // namespace ndnf
