#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// Collects the mistakes in a program, so that the user sees all of them at once.
class Mistakes {
 public:
  /// `where` names the program, usually by its file; may be empty.
  explicit Mistakes(std::string_view where) : where_(where) {}

  void add(Place place, const std::string& what);
  bool any() const { return !complaints_.empty(); }
  /// True if there are so many that further ones would not help.
  bool enough() const { return complaints_.size() >= kShown; }
  /// Throws Error with one line per mistake, "where:line:column: what"; does nothing without mistakes.
  void throw_if_any() const;

 private:
  static constexpr std::size_t kShown = 100;

  std::string where_;
  std::vector<Complaint> complaints_;
};

}  // namespace ndnf
