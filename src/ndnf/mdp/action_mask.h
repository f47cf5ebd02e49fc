#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/mdp/observation_table.h"

namespace ndnf {

class PolicyTable;

/// The actions that each observation allows, at least one: what a shield leaves, or what a task offers that
/// does not have every action everywhere.
class ActionMask {
 public:
  /// One bit per action and observation. Throws Error if an observation allows no action, or one that does
  /// not exist.
  ActionMask(std::size_t action_count, std::vector<std::uint64_t> allowed);
  /// Allows everything in every one of `size` observations, until `set` says otherwise.
  static ActionMask all(std::size_t action_count, std::size_t size);

  /// One bit per action. Throws Error as the constructor does.
  void set(ObsId obs, std::uint64_t allowed);
  void allow_all(ObsId obs) { allowed_[obs] = ~std::uint64_t{0} >> (kMaxActions - action_count_); }
  std::size_t size() const { return allowed_.size(); }
  std::size_t action_count() const { return action_count_; }
  bool allows(ObsId obs, ActionId action) const { return (bits(obs) >> action & 1) != 0; }
  /// Throws Error for an observation that was added to its table later: the mask says nothing about it.
  std::uint64_t bits(ObsId obs) const {
    if (obs >= allowed_.size()) fail_unknown(obs);
    return allowed_[obs];
  }
  std::size_t allowed_count(ObsId obs) const { return static_cast<std::size_t>(std::popcount(bits(obs))); }
  /// The allowed action that has `rank` allowed ones before it. REQUIRES: rank < allowed_count(obs).
  ActionId nth_allowed(ObsId obs, std::size_t rank) const;

  /// The policy conditioned on never taking a forbidden action: each defined row is restricted to the
  /// allowed actions and rescaled to sum to 1; a row that gives them no probability becomes "names no
  /// action".
  PolicyTable apply(const PolicyTable& policy) const;
  /// The mask of these observations, in this order.
  ActionMask of(std::span<const ObsId> observations) const;

 private:
  [[noreturn]] void fail_unknown(ObsId obs) const;
  void check(ObsId obs) const;

  std::size_t action_count_;
  std::vector<std::uint64_t> allowed_;
};

}  // namespace ndnf
