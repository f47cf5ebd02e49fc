#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ndnf/syntax/term.h"

namespace ndnf {

/// The values of `#const NAME = TERM.` in an ASP program. They replace the name wherever it is a term, before
/// and after the directive; names of atoms are not terms.
class Constants {
 public:
  Constants() = default;
  /// Collects the directives of a program. Malformed ones are left to the parser.
  explicit Constants(std::string_view program);

  /// Whether the term has changed. Throws Wrong for a constant that is defined by itself.
  bool apply(Term& term) const;
  /// The same for the arguments of an atom.
  bool apply_to_arguments(Term& atom) const;
  bool apply(OpenLiteral& literal) const;

 private:
  bool apply(Term& term, std::size_t depth) const;

  std::map<std::string, Term> values_;
};

}  // namespace ndnf
