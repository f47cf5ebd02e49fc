#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ndnf/syntax/program.h"

namespace ndnf {

/// NAME of `action(NAME)`, the only form in which programs refer to actions.
std::optional<std::string_view> action_of(std::string_view atom);

/// `action(NAME)`.
std::string action_atom(std::string_view action);

/// "hand/1" for hand(18): the name and the number of arguments, as in `#show`.
std::string signature(std::string_view atom);

/// "extra/1" of `#defined extra/1`: atoms that may be neither observed nor defined by a rule.
std::optional<std::string_view> defined_signature(const Directive& directive);

}  // namespace ndnf
