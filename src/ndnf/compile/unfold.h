#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A disjunction of conjunctions, each as a box. Empty means false.
using BoxUnion = std::vector<Box>;

/// A program whose unfolding needs more conjunctions at once, even after absorption, is rejected.
inline constexpr std::size_t kMostConjunctions = 20'000;

/// The observations by which boxes are distinguished.
enum class Care : std::uint8_t {
  kAll,    ///< Any that has one value per group. REQUIRES: the scope is every_value of the vocabulary.
  kScope,  ///< Those of the scope. Each box is then the smallest with the same members.
};

/// A scope whose domains are complete, so that boxes over it are valid for any observation.
Scope every_value(const std::shared_ptr<const Vocabulary>& vocabulary);

/// The body of every statement (empty for a directive) over the atoms of the vocabulary, with derived atoms
/// replaced by their definitions. No box lies within another. Boxes know one-hot groups, so two atoms of one
/// group never hold together.
/// REQUIRES: the program can be bound to the scope's vocabulary. Throws Error with file and line of the rule
/// that needs more than kMostConjunctions.
std::vector<BoxUnion> unfold(const Program& program, const Scope& scope, Care care);

/// The boxes that lie within no other, the largest first.
BoxUnion absorbed(BoxUnion boxes, const Vocabulary& vocabulary);

}  // namespace ndnf
