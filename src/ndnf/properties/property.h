#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/linear_comparison.h"

namespace ndnf {

/// A condition on a position of an episode: labels, atoms, comparisons of quantities and the next action,
/// joined by connectives.
struct StateFormula {
  enum class Kind : std::uint8_t {
    kTrue,
    kFalse,
    kLabel,
    kAtom,
    kNumbers,
    kAction,
    kNot,
    kAnd,
    kOr,
    kImplies
  };
  Kind kind = Kind::kTrue;
  std::string label{};                ///< kLabel.
  std::uint32_t index = 0;            ///< kAtom, kAction: its number in the vocabulary.
  std::vector<StateFormula> parts{};  ///< kNot: one; kAnd, kOr, kImplies: two.
  NumericLiteral numbers{};           ///< kNumbers: a comparison of quantities.
};

/// `X right`, `F right`, `G right` or `left U right`, within `steps` steps (without: those of the episode).
struct PathFormula {
  enum class Kind : std::uint8_t { kNext, kFinally, kGlobally, kUntil };
  Kind kind = Kind::kFinally;
  StateFormula left;
  StateFormula right;
  std::optional<std::size_t> steps;
};

/// A property of a policy's episodes, in a subset of PRISM's language (docs/properties.md).
struct Property {
  enum class Measure : std::uint8_t { kProbability, kReturn, kLength };
  enum class Comparison : std::uint8_t { kQuery, kAtLeast, kAbove, kAtMost, kBelow };

  std::string text;  ///< As written.
  Measure measure = Measure::kProbability;
  Comparison comparison = Comparison::kQuery;
  double bound = 0;
  PathFormula path;  ///< For a probability; return and length use only `steps`.
};

/// Parses a property over the labels, atoms and actions of the model. Throws Error "where:line:column: …"
/// with what was expected, or the most similar name.
Property parse_property(std::string_view where, std::string_view text, const FiniteModel& model);
/// The same for a task without a finite model, with these labels.
Property parse_property(std::string_view where, std::string_view text, const Vocabulary& vocabulary,
                        std::vector<std::string> labels);

/// Parses a description of observations: a state formula of atoms and comparisons alone, such as
/// `hand(18), not usable_ace` or `velocity > 0.5`.
StateFormula parse_observation(std::string_view where, std::string_view text, const Vocabulary& vocabulary);

/// Whether a formula of atoms alone is true in an observation.
bool holds(const StateFormula& formula, const ObservationTable& table, ObsId obs);

/// The labels that properties can use: those of the model, its tags, and `end`.
std::vector<std::string> property_labels(const FiniteModel& model);

}  // namespace ndnf
