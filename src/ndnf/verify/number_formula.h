#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/logic/bound_program.h"
#include "ndnf/mdp/quantised_observation.h"
#include "ndnf/properties/property.h"
#include "ndnf/solvers/z3.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {

/// The observations of a vocabulary with quantities as numbers that Z3 may choose: the place of each quantity
/// within its grid, and the value of each group. Throws Error if a quantity has no grid.
class ObservedNumbers {
 public:
  ObservedNumbers(const Vocabulary& vocabulary, Z3Questions& questions);

  /// The observation that an answer describes. Throws Error if a number is out of its range.
  QuantisedObservation observation(const std::vector<std::int64_t>& values) const;
  /// That all its numbers are those of this observation, or those of some quantities or groups alone.
  SolverText same_quantity(const QuantisedObservation& observation, std::size_t quantity) const;
  SolverText same_group(const QuantisedObservation& observation, std::size_t group) const;
  SolverText atom(AtomId atom) const;
  SolverText comparison(const LinearComparison& comparison) const;
  /// |place of the quantity − number|
  SolverText distance(std::size_t quantity, std::int32_t place) const;
  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  const Vocabulary& vocabulary_;
};

/// A program as definitions for Z3, in the order of evaluation. What is defined has a number of its own, and
/// no name of the program.
class ProgramFormula {
 public:
  /// What a rule for actions says: an action, or for ProbLog the choice that this rule makes.
  struct Outcome {
    std::optional<ActionId> action;  ///< Nothing for a choice.
    std::vector<std::size_t> rules;  ///< Indices into rules().
    bool whole = true;               ///< A choice whose probabilities sum to 1.
  };
  /// A rule as the user sees it, with all its instances.
  struct SeenRule {
    RuleName name;
    std::string head;
    std::vector<std::size_t> statements;  ///< Empty if no instance can ever fire.
    bool annotated = false;
  };

  /// `program` numbers the programs of one set of questions. Throws Error for helpers with probabilities.
  ProgramFormula(const Program& program, const BoundProgram& bound, const ObservedNumbers& observed,
                 std::size_t number, Z3Questions& questions);

  const std::vector<SeenRule>& rules() const { return rules_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }
  /// That the rule fires; that the outcome holds; that no outcome, or several, hold.
  SolverText fires(std::size_t rule) const;
  SolverText holds(const Outcome& outcome) const;
  SolverText none() const;
  SolverText several() const;
  /// The actions among which a rule for actions chooses. REQUIRES: an instance of it may fire.
  std::vector<ActionChoice> choices(std::size_t rule) const;
  /// That this action holds: it may be taken.
  SolverText takes(ActionId action) const;
  /// The formula of a property over observations and actions. REQUIRES: it has no labels.
  SolverText condition(const StateFormula& formula) const;

 private:
  const Rule& rule(std::size_t statement) const;
  void define_rules(Z3Questions& questions);
  void collect_rules();
  void collect_outcomes();
  SolverText literal(const BodyLiteral& literal) const;
  SolverText atom(const std::string& atom) const;

  const Program& program_;
  const BoundProgram& bound_;
  const ObservedNumbers& observed_;
  std::size_t number_;
  std::map<std::string, std::size_t> derived_;  ///< Numbers of heads that are defined.
  std::map<std::size_t, bool> defined_;         ///< Statements that may fire.
  std::vector<SeenRule> rules_;
  std::vector<Outcome> outcomes_;
};

}  // namespace ndnf
