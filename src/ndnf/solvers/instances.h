#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/solvers/aggregates.h"
#include "ndnf/syntax/parser.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The result of grounding a GroundingText: ground rules, in which aggregates, conditional literals and
/// disjunctive bodies are replaced by auxiliary atoms.
class Instances {
 public:
  struct Problem {
    std::size_t statement;
    std::string what;
  };

  /// `output` is clingo's, for this program. Throws Error if it has an unexpected form.
  Instances(const std::string& output, const ParsedProgram& parsed, const Vocabulary& vocabulary);

  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;

  /// The instances of a statement's rule without the mark, in natural order and without duplicates; before
  /// them the rules of their auxiliary atoms.
  std::vector<Rule> take(std::size_t statement);
  /// The values of the unevaluated atoms, by their number.
  const std::vector<std::pair<std::size_t, std::string>>& values() const { return values_; }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  using Projections = AggregateRules::Projections;

  void add(Rule rule);
  void add(const OpenRule& rule);
  void tidy(Rule& rule) const;
  void add_choices(const OpenRule& source, std::vector<Rule> bodies);

  std::size_t statements_;
  std::map<std::size_t, std::vector<Rule>> rules_;
  std::map<std::size_t, std::vector<Rule>> definitions_;  ///< Of auxiliary atoms, by statement.
  Projections projected_;                                 ///< By the atom for "some of these".
  std::vector<std::pair<std::size_t, std::string>> values_;
  std::vector<Problem> problems_;
  AggregateRules aggregates_;
};

/// The number of instances of each statement in an output that may be truncated anywhere.
std::vector<std::size_t> count_instances(std::string_view output, std::size_t statements);

}  // namespace ndnf
