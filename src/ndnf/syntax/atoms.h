#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// NAME of `action(NAME)`, the only form in which programs refer to actions.
std::optional<std::string_view> action_of(std::string_view atom);

/// `action(NAME)`.
std::string action_atom(std::string_view action);

/// "hand/1" for hand(18): the name and the number of arguments, as in `#show`.
std::string signature(std::string_view atom);

/// The arguments of an atom: "1" and "f(x,y)" of p(1,f(x,y)).
std::vector<std::string_view> arguments(std::string_view atom);

/// "extra/1" and "more/2" of `#defined extra/1, more/2`: atoms that may be neither observed nor defined by a
/// rule.
std::vector<std::string_view> defined_signatures(const Directive& directive);

/// Whether an atom, or its rule, was added by us when the program was grounded: part of an aggregate, a
/// condition or a disjunction. No text of a user has such a name.
bool is_auxiliary(std::string_view atom);
/// `ndnf_aux(N)`.
std::string auxiliary_atom(std::size_t number);

}  // namespace ndnf
