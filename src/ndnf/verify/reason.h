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
  std::vector<std::size_t> groups;  ///< Their values suffice; ascending. Empty: always the same action.
  bool smallest = true;             ///< No reason has fewer groups. If false, it is only irreducible.
};

/// What would have to differ for another action.
struct WhyNot {
  ActionId action = 0;
  std::optional<ObsId> nearest;     ///< An observation with that action; nothing if there is none.
  std::vector<std::size_t> groups;  ///< The groups that differ there: as few as possible.
};

/// Explains a policy's actions relative to a set of observations (the reachable ones). For a stochastic
/// policy this is the most probable action; undefined rows have none and differ from all others.
class ReasonFinder {
 public:
  /// REQUIRES: table and policy outlive the finder.
  ReasonFinder(const ObservationTable& table, const PolicyTable& policy, std::vector<ObsId> scope);

  /// A minimal set of groups such that every observation of the scope with the same values in them has the
  /// same action: a prime implicant. Nothing if another observation with the same atoms gets another action
  /// (images that differ otherwise). REQUIRES: the row of `obs` is defined.
  std::optional<Reason> reason(ObsId obs) const;

  /// Every other action with the nearest observation that gets it, by the number of groups that differ; ties
  /// are broken by the distance of the values within their groups (for hand(18), hand(17) is nearer than
  /// hand(4)).
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
