#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// Anything that gives action probabilities for an observation: a network, a table, a logic program.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::size_t action_count() const = 0;
  /// Writes one row of action_count() probabilities per id. One call serves a batch, so its cost is the work
  /// itself.
  virtual void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                             std::span<double> rows) const = 0;
  /// The probability that exactly one action is taken, per id; empty if a row that sums to 1 says that by
  /// itself, as it does unless actions are chosen independently of each other.
  virtual std::vector<double> exactly_one(const ObservationTable& /*table*/,
                                          std::span<const ObsId> /*ids*/) const {
    return {};
  }
};

/// One row of action probabilities per observation: what evaluation, verification and comparison work on. A
/// row is *undefined* when it names no action, several actions, or probabilities that do not sum to 1 (to
/// 1e-6), or when these are not of exactly one action; it is kept as it is and never normalised.
class PolicyTable {
 public:
  /// `rows` is (observations, actions), `exactly_one` as Policy gives it. Throws Error if a number is NaN,
  /// negative or above 1.
  PolicyTable(std::size_t action_count, std::vector<double> rows, std::vector<double> exactly_one = {});

  std::size_t size() const { return rows_.size() / action_count_; }
  std::size_t action_count() const { return action_count_; }
  std::span<const double> row(ObsId obs) const { return {rows_.data() + obs * action_count_, action_count_}; }
  bool defined(ObsId obs) const { return defined_[obs]; }
  /// The probability that exactly one action is taken: 1 unless the policy said otherwise.
  double exactly_one(ObsId obs) const { return exactly_one_.empty() ? 1 : exactly_one_[obs]; }
  /// Why the row is undefined, as the end of a sentence: "names no action", "names 2 actions".
  std::string defect(ObsId obs) const;
  /// The most probable action, the first of equals. REQUIRES: the row is defined.
  ActionId argmax(ObsId obs) const;

 private:
  std::size_t action_count_;
  std::vector<double> rows_;
  std::vector<double> exactly_one_;
  std::vector<bool> defined_;
};

/// The policy's rows for every observation of the table.
PolicyTable tabulate(const Policy& policy, const ObservationTable& table);
PolicyTable uniform_policy(const ObservationTable& table);

/// How an action is picked from a row.
struct Selection {
  enum class Kind : std::uint8_t { kArgmax, kSample, kEpsilon };
  Kind kind = Kind::kSample;
  double epsilon = 0;  ///< kEpsilon: with this probability any action, all alike, instead of the best.

  /// Reads `argmax`, `sample` or `epsilon:X`. Throws Error otherwise.
  static Selection parse(std::string_view where, std::string_view text);
  std::string to_string() const;
};

/// The actions allowed in each observation: what a shield becomes. Every observation allows at least one.
class ActionMask {
 public:
  /// One bit per action and observation. Throws Error if an observation allows no action or one that does not
  /// exist.
  ActionMask(std::size_t action_count, std::vector<std::uint64_t> allowed);

  std::size_t size() const { return allowed_.size(); }
  std::size_t action_count() const { return action_count_; }
  bool allows(ObsId obs, ActionId action) const { return (allowed_[obs] >> action & 1) != 0; }
  std::uint64_t bits(ObsId obs) const { return allowed_[obs]; }
  std::size_t allowed_count(ObsId obs) const { return static_cast<std::size_t>(std::popcount(bits(obs))); }
  /// The allowed action with `rank` allowed ones before it. REQUIRES: rank < allowed_count(obs).
  ActionId nth_allowed(ObsId obs, std::size_t rank) const;

  /// The policy given that a forbidden action is never taken: each defined row restricted to the allowed
  /// actions and scaled to sum to 1; a row that gives them no probability becomes "names no action".
  PolicyTable apply(const PolicyTable& policy) const;

 private:
  std::size_t action_count_;
  std::vector<std::uint64_t> allowed_;
};

/// The probabilities with which actions are really taken. Undefined rows stay as they are. With a mask, which
/// the policy obeys already, epsilon picks among the allowed actions only.
PolicyTable select(const PolicyTable& policy, const Selection& selection, const ActionMask* mask = nullptr);

}  // namespace ndnf
