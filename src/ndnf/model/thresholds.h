#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/mdp/observation_table.h"
#include "ndnf/nn/matrix.h"

// Atoms about numbers. A network learns them as Thresholds, which have gradients; hardened they are
// Comparisons of whole numbers, the same that rules make (docs/rules-over-numbers.md), so that network and
// rules agree in every observation.

namespace ndnf {

/// The actor's inputs are the task's atoms, if it has any, and then comparisons of its quantities. There are
/// no parameters: each comparison is true (1) or false.
struct Comparisons {
  std::vector<NumericLiteral> literals;

  static constexpr bool kSharesOutputs = false;
  bool reads_atoms() const { return true; }
  std::size_t numbers_read() const { return 0; }
  std::size_t outputs() const { return literals.size(); }
  const Comparisons* comparisons() const { return this; }
  template <class Self, class Visit>
  static void visit(Self&, Visit) {}
};

/// The comparisons as numbers, for saved states. The reverse throws Error naming `where` if they are not
/// comparisons of the vocabulary's quantities.
std::vector<std::uint64_t> to_words(const Comparisons& comparisons);
Comparisons comparisons_from(std::string_view where, std::span<const std::uint64_t> words,
                             const Vocabulary& vocabulary);

/// Whether each of the comparisons holds in an observation. Throws Error if a quantity has no grid.
void truth_values(const Comparisons& comparisons, const ObservationTable& table, ObsId obs,
                  std::vector<bool>& holds);

/// Learned atoms over the numbers of an observation, which are scaled to mean 0 and deviation 1 (InputScale):
///   tanh(gain (x − t))    some for each number that rules can be about, and
///   tanh(gain (u·x − t))  with u = w / |w| over these numbers;
/// the last output is always 1. The critic reads the numbers themselves: it needs more than the atoms tell.
template <class S>
struct Thresholds {
  std::size_t numbers = 0;              ///< Of an observation.
  std::vector<std::uint32_t> compared;  ///< Those that rules can be about.
  Matrix<S> bounds;                     // (1, compared · atoms each): t
  Matrix<S> directions;                 // (compared, L): w
  Matrix<S> linear_bounds;              // (1, L): t
  double gain = 1;
  /// Once hardened: what the actor reads instead.
  std::optional<Comparisons> hard{};

  static constexpr bool kSharesOutputs = false;
  bool reads_atoms() const { return hard.has_value(); }
  std::size_t numbers_read() const { return numbers; }
  std::size_t outputs() const { return hard ? hard->outputs() : bounds.cols() + linear_bounds.cols() + 1; }
  const Comparisons* comparisons() const { return hard ? &*hard : nullptr; }
  /// The number that an atom of one number is about.
  std::uint32_t compared_by(std::size_t atom) const {
    return compared[atom / (bounds.cols() / compared.size())];
  }

  template <class Self, class Visit>
  static void visit(Self& self, Visit visit) {
    if (self.bounds.size() > 0) visit(std::string("thresholds.bias"), self.bounds);
    if (self.linear_bounds.size() == 0) return;
    visit(std::string("thresholds.linear.weight"), self.directions);
    visit(std::string("thresholds.linear.bias"), self.linear_bounds);
  }
};

template <class S>
struct ThresholdActivations {
  Matrix<S> units;        // (compared, L): u
  std::vector<S> length;  // (L): |w|
  Matrix<S> dz;           // scratch for backward
};

/// f (B, outputs) for rows of scaled numbers. REQUIRES: not hardened.
template <class S>
void forward(const Thresholds<S>& thresholds, const Matrix<S>& x, ThresholdActivations<S>& activations,
             Matrix<S>& f);
/// Adds to the gradient.
template <class S>
void backward(const Thresholds<S>& thresholds, const Matrix<S>& x, ThresholdActivations<S>& activations,
              const Matrix<S>& f, const Matrix<S>& df, Thresholds<S>& gradient);

/// No learned atoms but these comparisons, and a critic that reads the numbers.
template <class S>
Thresholds<S> fixed_atoms(Comparisons comparisons, const ObservationTable& table) {
  Thresholds<S> thresholds;
  thresholds.numbers = table.dense_size();
  thresholds.hard = std::move(comparisons);
  return thresholds;
}

/// How the inputs of a network were scaled: (x − mean) · factor, per number. Empty: not at all.
struct Scaled {
  std::vector<double> means;
  std::vector<double> factors;
};

/// The same atoms, with the scale, as comparisons of whole numbers (whole_literal). In a linear atom a term
/// that contributes less than a twentieth of the largest is left out.
template <class S>
Comparisons hardened(const Thresholds<S>& thresholds, const Scaled& scale, const Vocabulary& vocabulary);

}  // namespace ndnf
