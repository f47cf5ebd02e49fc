#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// The result of grounding a GroundingText.
class Instances {
 public:
  /// `output` is clingo's; there are marks for `statements` statements. Throws Error if it has an unexpected
  /// form.
  Instances(const std::string& output, std::size_t statements);

  /// The instances of a statement's rule without the mark, in natural order and without duplicates.
  std::vector<Rule> take(std::size_t statement);
  /// The values of the unevaluated atoms, by their number.
  const std::vector<std::pair<std::size_t, std::string>>& values() const { return values_; }

 private:
  void add(Rule rule, std::size_t statements);
  void tidy(Rule& rule) const;

  std::map<std::size_t, std::vector<Rule>> rules_;
  std::map<std::string, std::vector<std::string>> projected_;  ///< By the atom for "some of these".
  std::vector<std::pair<std::size_t, std::string>> values_;
};

/// The number of instances of each statement in an output that may be truncated anywhere.
std::vector<std::size_t> count_instances(std::string_view output, std::size_t statements);

}  // namespace ndnf
