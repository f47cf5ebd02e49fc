#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/syntax/annotations.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// A program over the atoms and actions of a task: a policy. `action(NAME)` in a head is the action NAME;
/// every atom in a body is the vocabulary's or defined by a rule of the program.
///  - ASP: a row has 1 for each action that holds, so two actions give an undefined row.
///  - ProbLog: P(action) as ProbLog computes it with the observed atoms as facts: annotated disjunctions
///    whose bodies hold are independent choices, so an action has 1 − ∏(1 − p) over them. That may sum to 1
///    although none or several hold in some worlds: exactly_one tells.
class BoundProgram final : public Policy {
 public:
  /// Throws Error with one line per mistake: an atom that the vocabulary does not have and no rule defines
  /// (the nearest is named; `#defined name/arity` allows it: it is false), an unknown action, recursion, a
  /// head that is an atom of the vocabulary, annotations in ASP, annotations on what is no action, actions in
  /// bodies of ProbLog, probabilities that sum to more than 1.
  BoundProgram(const Program& program, std::shared_ptr<const Vocabulary> vocabulary);

  std::size_t action_count() const override { return vocabulary_->action_count(); }
  /// `table` may be of another vocabulary object with the same fingerprint; Error otherwise.
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;
  std::vector<double> exactly_one(const ObservationTable& table, std::span<const ObsId> ids) const override;

  /// The statements (their indices in the program) whose rules fire in an observation, rising.
  std::vector<std::size_t> fired(const ObservationTable& table, ObsId obs) const;

  /// The statements whose rules may fire, in the order of evaluation: definitions, each after what it needs,
  /// then rules for actions that no body asks for.
  std::vector<std::size_t> evaluation_order() const;

  /// One decision without a table. `state` has state_words() words: bit a is the vocabulary's atom a; the
  /// bits behind those are 0 and get the derived atoms. Writes one probability per action.
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
  /// A rule: its checks, at least one, go from the end of those of the rule before to `checks_end`.
  struct BoundRule {
    std::uint32_t checks_end = 0;
    /// Definition: the bit it sets. Decision: its action (ASP) or the end of its choices (ProbLog).
    std::uint32_t target = 0;
    /// Where it comes from; nowhere for a decision that passes on an action which bodies ask for.
    std::size_t statement = kNoStatement;
  };
  struct Bodies {
    std::vector<BoundRule> rules;
    std::vector<Check> checks;
  };

  void require_same_vocabulary(const ObservationTable& table) const;
  void observe(const ObservationTable& table, ObsId obs, std::span<std::uint64_t> state) const;
  /// Calls `then` with the index of each rule, in order, and whether its body holds.
  template <class Then>
  static void for_each(const Bodies& bodies, const std::uint64_t* state, Then then);
  void define(std::span<std::uint64_t> state) const;
  void decide_certainly(std::span<const std::uint64_t> state, std::span<double> row) const;
  void decide_by_chance(std::span<const std::uint64_t> state, std::span<double> row) const;
  double exactly_one(std::span<const std::uint64_t> state) const;
  /// Calls `then` with the choices of each rule of ProbLog for actions whose body holds.
  template <class Then>
  void for_each_choice(std::span<const std::uint64_t> state, Then then) const;

  std::shared_ptr<const Vocabulary> vocabulary_;
  Syntax syntax_ = Syntax::kAsp;
  std::size_t state_words_ = 0;
  Bodies definitions_;  ///< Each after what it needs.
  Bodies decisions_;
  std::vector<ActionChoice> choices_;  ///< ProbLog: those of all decisions, one after the other.
};

}  // namespace ndnf
