#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/mdp/quantised_observation.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A program over the atoms and actions of a task: a policy. `action(NAME)` in a head is the action NAME;
/// every atom in a body is in the vocabulary, a comparison of its quantities or defined by a rule of the
/// program.
///  - ASP: a row has 1 for each action that holds, so two actions give an undefined row; so does a violated
///    integrity constraint, with no action.
///  - ProbLog: P(action) as ProbLog computes it with the observed atoms as facts: annotated disjunctions
///    whose bodies hold are independent choices, so an action has 1 − ∏(1 − p) over them. This may sum to 1
///    although no or several actions hold in some worlds: see exactly_one. Helpers with probabilities (draws)
///    are enumerated: the row is the mean over the possible worlds of those draws that happen and on which an
///    action depends.
class BoundProgram final : public Policy {
 public:
  /// Throws Error with one line per mistake: an atom that is neither in the vocabulary nor defined by a rule
  /// (the most similar name is suggested; `#defined name/arity` allows it, and makes it false), an unknown
  /// action, recursion, an atom of the vocabulary as head, annotations in ASP, probabilities that sum to more
  /// than 1.
  BoundProgram(const Program& program, std::shared_ptr<const Vocabulary> vocabulary);

  std::size_t action_count() const override { return vocabulary_->action_count(); }
  /// `table` may have another vocabulary object with the same fingerprint; Error otherwise.
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;
  std::vector<double> exactly_one(const ObservationTable& table, std::span<const ObsId> ids) const override;

  /// Throws Error in the following where an observation has more possible worlds than this.
  static constexpr std::size_t kMostWorlds = 1u << 16;

  /// The statements (their indices in the program) whose rules fire in an observation, ascending; with draws,
  /// in some possible world. Rules of auxiliary atoms are left out.
  std::vector<std::size_t> fired(const ObservationTable& table, ObsId obs) const;

  /// The row and the statements that fire in an observation that is in no table.
  std::vector<double> row(const QuantisedObservation& observation) const;
  std::vector<std::size_t> fired(const QuantisedObservation& observation) const;

  /// The statements whose rules may fire, in evaluation order: definitions, each after those it depends on,
  /// then rules for actions that occur in no body.
  std::vector<std::size_t> evaluation_order() const;

  /// Whether helpers have probabilities.
  bool has_draws() const { return !draws_.empty(); }
  /// Whether the rules in evaluation order, one by one, give the row: no draws and no integrity constraints.
  bool decides_by_rules() const { return draws_.empty() && !violated_; }

  /// The comparisons of quantities that the program makes, each once.
  const std::vector<LinearComparison>& comparisons() const { return comparisons_; }

  /// One decision without a table. `state` has state_words() words: bit a is the vocabulary's atom a, then
  /// come the comparisons; the remaining bits are 0 and receive the derived atoms. Writes one probability per
  /// action.
  std::size_t state_words() const { return state_words_; }
  void decide(std::span<std::uint64_t> state, std::span<double> row) const;

 private:
  friend class ProgramBinder;
  static constexpr std::size_t kNoStatement = static_cast<std::size_t>(-1);

  /// A part of a body: the atoms of one word that must be true (`value`) or false (`mask` without `value`).
  struct Check {
    std::uint64_t mask = 0;
    std::uint64_t value = 0;
    std::size_t word = 0;
  };
  /// A rule: its checks, at least one, range from the end of the previous rule's checks to `checks_end`.
  struct BoundRule {
    std::uint32_t checks_end = 0;
    /// Definition: the bit it sets. Decision: its action (ASP) or the end of its choices (ProbLog).
    std::uint32_t target = 0;
    /// Its statement; none for a decision that copies an action which occurs in bodies.
    std::size_t statement = kNoStatement;
  };
  struct Bodies {
    std::vector<BoundRule> rules;
    std::vector<Check> checks;
  };

  void require_same_vocabulary(const ObservationTable& table) const;
  void observe(const ObservationTable& table, ObsId obs, std::span<std::uint64_t> state) const;
  void observe(const QuantisedObservation& observation, std::span<std::uint64_t> state) const;
  void observe(std::span<const std::uint32_t> values, std::span<std::uint64_t> state) const;
  /// Sets the bits of the comparisons; `place(q)` gives the place of a quantity.
  template <class Place>
  void compare(std::span<std::uint64_t> state, Place place) const;
  std::vector<std::size_t> fired_in(std::span<std::uint64_t> state) const;
  /// Calls `then` with the index of each rule, in order, and whether its body holds.
  template <class Then>
  static void for_each(const Bodies& bodies, const std::uint64_t* state, Then then);
  /// A choice among derived atoms: after definition `rule`, if the bit `holds` is set, at most one of the
  /// picks becomes true.
  struct Draw {
    std::size_t rule;
    std::uint32_t holds;
    std::vector<std::pair<std::uint32_t, double>> picks;
  };

  /// Evaluates the definitions from `begin` to `end`.
  void define(std::span<std::uint64_t> state, std::size_t begin, std::size_t end) const;
  /// Calls `then(state, weight)` for each possible world.
  template <class Then>
  void for_each_world(std::span<std::uint64_t> state, Then then) const;
  template <class Then>
  void worlds_after(std::span<std::uint64_t> state, std::size_t draw, double weight, std::size_t& count,
                    Then& then) const;
  void decide_certainly(std::span<const std::uint64_t> state, std::span<double> row) const;
  void decide_by_chance(std::span<const std::uint64_t> state, std::span<double> row) const;
  double exactly_one(std::span<const std::uint64_t> state) const;
  /// Calls `then` with the choices of each ProbLog rule for actions whose body holds.
  template <class Then>
  void for_each_choice(std::span<const std::uint64_t> state, Then then) const;

  std::shared_ptr<const Vocabulary> vocabulary_;
  Syntax syntax_ = Syntax::kAsp;
  std::size_t state_words_ = 0;
  std::vector<LinearComparison> comparisons_;
  Bodies definitions_;  ///< Each after those it depends on.
  Bodies decisions_;
  std::vector<ActionChoice> choices_;      ///< ProbLog: of all decisions, consecutively.
  std::vector<Draw> draws_;                ///< ProbLog: in the order of evaluation.
  std::vector<bool> auxiliary_;            ///< Per statement: added when the program was grounded.
  std::optional<std::uint32_t> violated_;  ///< ASP: the bit for "an integrity constraint is violated".
};

}  // namespace ndnf
