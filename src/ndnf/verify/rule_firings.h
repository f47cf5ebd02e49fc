#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ndnf/logic/bound_program.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A rule as the user sees it: a rule with variables is one rule, whatever its instances.
struct RuleName {
  std::size_t statement = 0;  ///< The index of its first instance in the program.
  std::uint32_t line = 0;     ///< 0 for a program that was not read from a file.
  std::string text;           ///< Without comments.
};

/// The rule of a statement, as written (an instance of it, if it has variables). REQUIRES: it is a rule.
RuleName rule_name(const Program& program, std::size_t statement);

/// "line 3: action(hit) :- hand(4)."
std::string to_string(const RuleName& rule);

/// The rules that fire in an observation, each as to_string writes it.
std::vector<std::string> fired_rules(const Program& program, const BoundProgram& bound,
                                     const ObservationTable& table, ObsId obs);

/// Which rules of a program fire in which observations of a scope. Integrity constraints are not among them.
class RuleFirings {
 public:
  struct Subsumed {
    RuleName rule;
    RuleName by;
    ObsId obs;  ///< Where both fire.
  };

  RuleFirings(const Program& program, const BoundProgram& bound, const ObservationTable& table,
              std::span<const ObsId> scope);

  /// Rules that never fire in the scope, in the order of the program.
  std::vector<RuleName> dead() const;
  /// Rules that are redundant because, whenever they fire, another rule with the same head fires too; of two
  /// that always fire together the later one. Rules with probabilities are never subsumed: a second one
  /// changes the distribution.
  std::vector<Subsumed> subsumed() const;

 private:
  struct Firing {
    ObsId obs;
    std::size_t head;
    friend auto operator<=>(const Firing&, const Firing&) = default;
  };
  struct RuleUse {
    std::size_t statement;
    bool annotated;
    std::vector<Firing> firings;  ///< Ascending.
  };

  const Program& program_;
  std::vector<RuleUse> rules_;
};

}  // namespace ndnf
