#pragma once

#include <cstddef>
#include <string_view>

namespace ndnf {

/// `ndnf_…`: what we add to a program before a solver sees it.
bool is_ours(std::string_view name);

/// Predicates and operators of ProbLog (2.3) itself, such as write/1 and mod: a program that defines one is
/// rejected there, or means something else.
bool is_problogs(std::string_view name, std::size_t arity);

/// What no atom of a task may be called: the two above, `not` (which is no name in ASP, even as an argument),
/// `true`, `false`, and the predicates that speak of actions.
bool is_reserved_atom(std::string_view name, std::size_t arity);

}  // namespace ndnf
