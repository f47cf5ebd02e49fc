#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// A part of an observation that suffices for the action.
struct Reason {
  std::vector<std::size_t> groups;  ///< Whose values suffice, rising. None: the action is always the same.
  bool smallest = true;             ///< No reason has fewer groups; otherwise only: none can be left out.
};

/// What would have to be different for another action.
struct WhyNot {
  ActionId action = 0;
  std::optional<ObsId> nearest;     ///< An observation with that action; nothing when there is none.
  std::vector<std::size_t> groups;  ///< Whose values differ there: as few as possible.
};

/// Answers why a policy does what it does, relative to a set of observations (the reachable ones). Of a
/// stochastic policy the most probable action counts; undefined rows have none and differ from all.
class ReasonFinder {
 public:
  /// REQUIRES: table and policy outlive the finder.
  ReasonFinder(const ObservationTable& table, const PolicyTable& policy, std::vector<ObsId> scope);

  /// A minimal set of groups such that every observation of the scope with the same values there has the same
  /// action: a prime implicant. Nothing when another action is taken where all atoms are the same (images
  /// that differ otherwise). REQUIRES: the row of `obs` is defined.
  std::optional<Reason> reason(ObsId obs) const;

  /// Every other action with the nearest observation that gets it, by the number of groups that differ; of
  /// equals the one whose values are nearest in the order of their groups (hand(17) before hand(4) for
  /// hand(18)).
  std::vector<WhyNot> why_not(ObsId obs) const;

  /// The values of these groups in an observation: "hand(18), not usable_ace"; "nothing" for none.
  std::string describe(ObsId obs, const std::vector<std::size_t>& groups) const;

 private:
  std::vector<std::size_t> differing_groups(ObsId a, ObsId b) const;
  std::size_t value_distance(ObsId a, ObsId b) const;
  bool same_action(ObsId a, ObsId b) const;

  const ObservationTable& table_;
  const PolicyTable& policy_;
  std::vector<ObsId> scope_;
};

}  // namespace ndnf
