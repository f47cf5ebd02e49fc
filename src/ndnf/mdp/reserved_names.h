#pragma once

#include <cstddef>
#include <string_view>

namespace ndnf {

/// `ndnf_…`: names that we add to a program before passing it to a solver.
bool is_ours(std::string_view name);

/// Built-in predicates and operators of ProbLog (2.3), such as write/1 and mod: a program that defines one
/// is rejected by ProbLog, or changes its meaning.
bool is_problogs(std::string_view name, std::size_t arity);

/// Names that no atom of a task may have: the two kinds above, `not` (which is not a name in ASP, even as an
/// argument), `true`, `false`, and the predicates about actions.
bool is_reserved_atom(std::string_view name, std::size_t arity);

}  // namespace ndnf
