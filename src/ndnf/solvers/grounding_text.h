#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/solvers/solver_text.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// What clingo is given so that it grounds a program: one rule a line, printed from what was read, each with
/// a mark in its body, so that nothing is simplified away and every instance tells which rule it is of.
///   ndnf_rule(S)    the mark of statement S
///   ndnf_some(K,…)  what `not p(…,_)` negates: that some atom of this form holds
///   ndnf_value(K,A) that unevaluated atom K stands for A
class GroundingText {
 public:
  GroundingText(const ParsedProgram& parsed, const Vocabulary& vocabulary,
                const std::vector<const Term*>& unevaluated);

  const SolverText& text() const { return text_; }
  /// The rule that stands in a line of the text, counted from 1; null if it is none of the open ones.
  const OpenRule* rule_in_line(std::size_t line) const;

  static constexpr std::string_view kMark = "ndnf_rule";
  static constexpr std::string_view kSome = "ndnf_some";
  static constexpr std::string_view kValue = "ndnf_value";

 private:
  void add_line(const OpenRule& printed, const OpenRule* rule);
  void add_rule(const OpenRule& rule);
  void project(OpenLiteral& literal, const OpenRule& rule);
  void add_ground_rules();
  void add_observations(const Vocabulary& vocabulary);

  const ParsedProgram& parsed_;
  SolverText text_;
  std::vector<const OpenRule*> lines_;
  std::size_t projections_ = 0;
};

}  // namespace ndnf
