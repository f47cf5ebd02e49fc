#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/mistakes.h"
#include "ndnf/syntax/parser.h"

namespace ndnf {

/// "the task has no action lfet; did you mean left?"
std::string unknown_action(std::string_view action, const Vocabulary& vocabulary);
/// "hnd(3) is neither observed nor the head of a rule; did you mean hand(3)?"
std::string unknown_atom(std::string_view atom, const std::vector<std::string>& known);
/// "hand(3) is observed, expected an action or a new name as head"
std::string observed_head(std::string_view atom);

/// Finds misspelt names before a program with open rules is grounded: grounding would silently remove a rule
/// with an unknown atom, and a negated unknown atom would always hold. An atom is known if it is observed,
/// the head of a ground rule, or has the name and number of arguments of an open rule's head or of `#defined`
/// (then it may have no instance, and is false). Each mistake is reported once.
class NameChecker {
 public:
  NameChecker(const ParsedProgram& parsed, const Vocabulary& vocabulary, Mistakes& mistakes);

  /// Checks actions in heads and atoms in bodies. Atoms with variables only need a known name.
  void run();
  /// Atoms without variables whose values only clingo can compute: `dealer(11..12)`.
  const std::vector<const Term*>& unevaluated() const { return unevaluated_; }
  /// Reports an unknown atom.
  void check(const std::string& atom, Place place);
  /// Reports a head that is observed, or an action that the task does not have, and returns false.
  bool check_head(const std::string& atom, Place place);

 private:
  void collect();
  void check(const Rule& rule);
  void check(const OpenRule& rule);
  void check(const Term& atom, Place place);
  bool knows(const std::string& atom) const;
  void report_unknown(const std::string& atom, Place place);

  const ParsedProgram& parsed_;
  const Vocabulary& vocabulary_;
  Mistakes& mistakes_;
  std::set<std::string> heads_;            ///< Of ground rules.
  std::set<std::string> open_signatures_;  ///< Of open rules' heads and `#defined`.
  std::set<std::string> signatures_;       ///< Of all atoms that are observed or heads.
  std::set<std::string> reported_;
  std::vector<const Term*> unevaluated_;
};

}  // namespace ndnf
