#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/solvers/solver_text.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// The text with which clingo grounds a program: one rule per line, printed from the syntax tree. Each rule
/// has a mark in its body, so that nothing is simplified away and every instance shows its rule.
///   ndnf_rule(S)    the mark of statement S
///   ndnf_some(K,…)  what `not p(…,_)` negates: that some atom of this form holds
///   ndnf_choice(S,(X,…),H,…)  that annotated rule S of ProbLog chooses among the heads H for the values X
///   ndnf_value(K,A) that unevaluated atom K stands for A
class GroundingText {
 public:
  GroundingText(const ParsedProgram& parsed, const Vocabulary& vocabulary,
                const std::vector<const Term*>& unevaluated);

  const SolverText& text() const { return text_; }
  /// The rule in a line of the text, counted from 1; null if it is not an open rule.
  const OpenRule* rule_in_line(std::size_t line) const;

  static constexpr std::string_view kMark = "ndnf_rule";
  static constexpr std::string_view kSome = "ndnf_some";
  static constexpr std::string_view kValue = "ndnf_value";
  static constexpr std::string_view kChoice = "ndnf_choice";

 private:
  void add_line(const OpenRule& printed, const OpenRule* rule);
  void add_rule(const OpenRule& rule);
  void add_comparisons(const OpenBody& body, const OpenRule& rule);
  void add_choice(OpenRule printed, const OpenRule& rule);
  void project(OpenLiteral& literal, const OpenRule& rule);
  void add_ground_rules();
  void add_observations(const Vocabulary& vocabulary);

  const ParsedProgram& parsed_;
  SolverText text_;
  std::vector<const OpenRule*> lines_;
  std::size_t projections_ = 0;
};

}  // namespace ndnf
