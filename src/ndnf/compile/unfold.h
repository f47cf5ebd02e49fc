#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ndnf/boxes/box.h"
#include "ndnf/boxes/scope.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A disjunction of conjunctions, each as a box. Empty: false.
using BoxUnion = std::vector<Box>;

/// A program whose unfolding needs more conjunctions at once, even after absorption, is refused.
inline constexpr std::size_t kMostConjunctions = 20'000;

/// Which observations tell boxes apart.
enum class Care : std::uint8_t {
  kAll,    ///< Any that has one value per group. REQUIRES: the scope is every_value of the vocabulary.
  kScope,  ///< Those of the scope. Each box is then the smallest one that holds the same of them.
};

/// A scope whose domains are whole, so that boxes over it say what conjunctions say of any observation.
Scope every_value(const std::shared_ptr<const Vocabulary>& vocabulary);

/// The body of every statement (of a directive: none) over the atoms of the vocabulary, with what the program
/// defines replaced by its definitions. No box lies within another. One-hot groups are part of boxes, so two
/// atoms of one group never hold together.
/// REQUIRES: the program can be bound to the scope's vocabulary. Throws Error naming file and line of the
/// rule that needs more than kMostConjunctions.
std::vector<BoxUnion> unfold(const Program& program, const Scope& scope, Care care);

/// The boxes that lie within no other, the largest first.
BoxUnion absorbed(BoxUnion boxes, const Vocabulary& vocabulary);

}  // namespace ndnf
