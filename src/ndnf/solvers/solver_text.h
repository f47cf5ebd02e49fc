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

/// A text that stands in our own source code: only a constant expression becomes one.
class OwnText {
 public:
  consteval OwnText(const char* text) : text_(text) {}
  const char* text() const { return text_; }

 private:
  const char* text_;
};

/// What a solver is given to read, and the only thing that it is given. It is made of texts of our own source
/// code, of numbers, and of rules and names that are printed from a syntax tree: nothing else can get in, so
/// nothing of a file reaches a solver but names, numbers and rules. Quoted texts go as numbered ones
/// ("ndnf00000017"), for what somebody put between quotes is nothing that a solver should have to read.
class SolverText {
 public:
  explicit SolverText(Syntax syntax = Syntax::kAsp) : syntax_(syntax) {}

  SolverText& add(OwnText text);
  /// Each {} of the text becomes the next number.
  template <class... Numbers>
  requires(sizeof...(Numbers) > 0 &&
           (std::is_arithmetic_v<Numbers> && ...)) SolverText& add(OwnText text, Numbers... numbers) {
    text_ += fmt::format(fmt::runtime(text.text()), numbers...);
    return *this;
  }
  SolverText& add(const SolverText& other);

  /// The rule, with one more condition if there is one, and a dot, on a line of its own. Throws Error if an
  /// atom is none, or has a name that is the solver's or ours.
  SolverText& add_rule(const Rule& rule, const SolverText& condition);
  SolverText& add(const Rule& rule) { return add_rule(rule, SolverText()); }
  /// Likewise; its names may be ours.
  SolverText& add(const OpenRule& rule);
  /// All rules, without comments and directives.
  SolverText& add(const ParsedProgram& parsed);
  SolverText& add(const Program& program);
  /// The name of an atom, or of an action.
  SolverText& add_atom(const Vocabulary& vocabulary, AtomId atom);
  SolverText& add_action(const Vocabulary& vocabulary, ActionId action);

  Syntax syntax() const { return syntax_; }
  /// What the solver reads.
  std::string sent() const;
  /// What it says about it, with the quoted texts as they were.
  std::string reveal(std::string_view answer) const;

 private:
  friend class SolverTextOfATest;  // defined by tests alone, to ask solvers what they make of any text
  struct Quoted {
    std::size_t at;    ///< In text_, where it is missing.
    std::string text;  ///< With its quotes.
  };

  void append(std::string_view printed);
  std::vector<std::string> quoted_texts() const;

  Syntax syntax_;
  std::string text_;
  std::vector<Quoted> quoted_;
};

/// The rules of a program for a real solver to evaluate.
SolverText solver_text(const ParsedProgram& parsed);
SolverText solver_text(const Program& program);

}  // namespace ndnf
