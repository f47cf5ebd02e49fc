#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/action_mask.h"
#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// Anything that maps an observation to action probabilities: a network, a table, a logic program.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::size_t action_count() const = 0;
  /// Writes one row of action_count() probabilities per id. Called once per batch, so the cost of the
  /// virtual call does not matter.
  virtual void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                             std::span<double> rows) const = 0;
  /// The probability that exactly one action is taken, per id. Empty if a row that sums to 1 already implies
  /// it, which holds unless actions are chosen independently of each other.
  virtual std::vector<double> exactly_one(const ObservationTable& /*table*/,
                                          std::span<const ObsId> /*ids*/) const {
    return {};
  }
};

/// One row of action probabilities per observation: the form used for evaluation, verification and
/// comparison. A row is *undefined* if it names no action or several actions, if its probabilities do not
/// sum to 1 (within 1e-6), or if exactly one action is not certain; such a row is kept as it is and never
/// normalised.
class PolicyTable {
 public:
  /// `rows` is (observations, actions), `exactly_one` as Policy returns it. Throws Error if a number is NaN,
  /// negative or above 1.
  PolicyTable(std::size_t action_count, std::vector<double> rows, std::vector<double> exactly_one = {});

  std::size_t size() const { return rows_.size() / action_count_; }
  std::size_t action_count() const { return action_count_; }
  std::span<const double> row(ObsId obs) const { return {rows_.data() + obs * action_count_, action_count_}; }
  bool defined(ObsId obs) const { return defined_[obs]; }
  /// The probability that exactly one action is taken: 1 unless the policy specified it.
  double exactly_one(ObsId obs) const { return exactly_one_.empty() ? 1 : exactly_one_[obs]; }
  /// Why the row is undefined, as the end of a sentence: "names no action", "names 2 actions".
  std::string defect(ObsId obs) const;
  /// The most probable action, the first one on a tie. REQUIRES: the row is defined.
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

/// How an action is selected from a row.
struct Selection {
  enum class Kind : std::uint8_t { kArgmax, kSample, kEpsilon };
  Kind kind = Kind::kSample;
  double epsilon = 0;  ///< kEpsilon: the probability of a uniformly random action.

  /// Parses `argmax`, `sample` or `epsilon:X`. Throws Error otherwise.
  static Selection parse(std::string_view where, std::string_view text);
  std::string to_string() const;
};

/// The probabilities with which actions are actually taken. Undefined rows are unchanged. With a mask, which
/// the policy must already obey, epsilon selects among the allowed actions only.
PolicyTable select(const PolicyTable& policy, const Selection& selection, const ActionMask* mask = nullptr);

}  // namespace ndnf
