#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/rules/distillation.h"
#include "ndnf/rules/rule_list.h"
#include "ndnf/rules/state_sample.h"

namespace ndnf {

/// Random changes of a list. Bounds and states come from a sample of visited observations, so that every
/// literal divides what is really seen.
class Moves {
 public:
  /// `spreads` are those of the features; a feature that does not vary gets no literal. REQUIRES: some
  /// feature varies. The references must outlive this object.
  Moves(const Features& features, const std::vector<Spread>& spreads, const ListLimits& limits);

  /// The list after one or more moves, simplified. `visited` is not empty; rules may be taken over from
  /// `other`.
  RuleList changed(const RuleList& list, const StateSample& visited, const RuleList& other,
                   RandomSequence& random) const;

  // The moves, each alone. They return false if they do not apply.
  bool shift_bound(RuleList& list, RandomSequence& random) const;
  bool redraw_bound(RuleList& list, const StateSample& visited, RandomSequence& random) const;
  bool flip(RuleList& list, RandomSequence& random) const;
  bool replace_literal(RuleList& list, const StateSample& visited, RandomSequence& random) const;
  bool add_literal(RuleList& list, const StateSample& visited, RandomSequence& random) const;
  bool drop_literal(RuleList& list, RandomSequence& random) const;
  bool drop_rule(RuleList& list, RandomSequence& random) const;
  bool swap_rules(RuleList& list, RandomSequence& random) const;
  bool change_action(RuleList& list, RandomSequence& random) const;
  bool take_rule(RuleList& list, const RuleList& other, RandomSequence& random) const;
  /// Adds, changes or drops a term of a literal about numbers.
  bool change_terms(RuleList& list, const StateSample& visited, RandomSequence& random) const;
  /// Adds a rule that changes the decision in a visited state, of six the one with most regret: another
  /// action, and one to three literals that hold there, before the rule that decides now.
  bool cover(RuleList& list, const StateSample& visited, RandomSequence& random) const;

 private:
  bool move(RuleList& list, const StateSample& visited, const RuleList& other, RandomSequence& random) const;
  /// A random literal that divides the visited states, or nothing if the draw failed.
  std::optional<SumLiteral> drawn_literal(const StateSample& visited, RandomSequence& random) const;
  Spread spread(const SumLiteral& literal) const;
  /// A random literal of the list; null if it has none.
  SumLiteral* literal_of(RuleList& list, RandomSequence& random) const;

  const Features& features_;
  const std::vector<Spread>& spreads_;
  const ListLimits limits_;
  std::vector<std::uint32_t> varying_;  ///< Features.
  std::vector<std::uint32_t> numbers_;  ///< Those of them that are numbers.
};

}  // namespace ndnf
