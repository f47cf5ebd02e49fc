#pragma once

#include "ndnf/boxes/dnf.h"

namespace ndnf::testing {

constexpr AtomLiteral yes(AtomId atom) { return {atom, true}; }
constexpr AtomLiteral no(AtomId atom) { return {atom, false}; }

}  // namespace ndnf::testing
