#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ndnf/boxes/dnf.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A program whose unfolding needs more conjunctions at once, even after absorption, is rejected.
inline constexpr std::size_t kMostConjunctions = 20'000;

/// The observations by which conjunctions are distinguished.
enum class Care : std::uint8_t {
  kAll,    ///< Any that has one value per group. REQUIRES: the scope is every_value of the vocabulary.
  kScope,  ///< Those of the scope. Each conjunction is then the strongest with the same members.
};

/// A scope whose domains are complete, so that conjunctions over it are valid for any observation.
Scope every_value(const std::shared_ptr<const Vocabulary>& vocabulary);

/// The body of every statement (empty for a directive) over the atoms of the vocabulary, with derived atoms
/// replaced by their definitions. No conjunction implies another. One-hot groups are known, so two atoms of
/// one group never hold together.
/// REQUIRES: the program can be bound to the scope's vocabulary. Throws Error with file and line of the rule
/// that needs more than kMostConjunctions.
std::vector<Dnf> unfold(const Program& program, const Scope& scope, Care care);

/// The conjunctions that imply no other, the weakest first.
Dnf absorbed(const Dnf& dnf, const Scope& scope);

}  // namespace ndnf
