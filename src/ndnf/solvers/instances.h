#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// What clingo made of a GroundingText.
class Instances {
 public:
  /// `output` is clingo's; there are marks of `statements` statements. Throws Error if it is not understood.
  Instances(const std::string& output, std::size_t statements);

  /// The instances of a statement's rule, in the order of people, each once, without the mark.
  std::vector<Rule> take(std::size_t statement);
  /// What the unevaluated atoms stand for, by their number.
  const std::vector<std::pair<std::size_t, std::string>>& values() const { return values_; }

 private:
  void add(Rule rule, std::size_t statements);
  void tidy(Rule& rule) const;

  std::map<std::size_t, std::vector<Rule>> rules_;
  std::map<std::string, std::vector<std::string>> projected_;  ///< By what stands for "some of these".
  std::vector<std::pair<std::size_t, std::string>> values_;
};

/// How many instances each statement has in an output that may be cut off anywhere.
std::vector<std::size_t> count_instances(std::string_view output, std::size_t statements);

}  // namespace ndnf
