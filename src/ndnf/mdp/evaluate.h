#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ndnf/mdp/expectation.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The expected return of a policy and related statistics, per episode.
struct Evaluation {
  /// A visit to an observation whose row is undefined; the other figures are then meaningless.
  struct Undefined {
    StateId state = 0;  ///< Only where there is a finite model.
    ObsId observation = 0;
    std::string described{};  ///< Only where there is none: the observation, and what is wrong with its row.
    std::string defect{};
  };

  bool exact = true;
  std::size_t episodes = 0;  ///< Sampled episodes; 0 when exact.
  double mean_return = 0;
  double standard_error = 0;      ///< Of mean_return; 0 when exact, NaN for a single episode.
  double length = 0;              ///< Infinite if an episode may never end.
  double terminated = 0;          ///< Probability of ending, within the step limit if there is one.
  std::vector<double> tag_rates;  ///< Per tag of the model: the probability of ending with it.
  std::vector<double> visits;     ///< Per observation: expected number of decisions; only when exact.
  std::optional<Undefined> undefined;
  /// A state that an episode may visit for ever, if there is neither a step limit nor a discount: then there
  /// is no return, and the other figures are meaningless, too.
  std::optional<StateId> endless{};

  bool has_return() const { return !undefined && !endless; }
  /// The expected return; NaN if there is none.
  Expectation expected_return() const {
    return {has_return() ? mean_return : std::numeric_limits<double>::quiet_NaN(), standard_error, episodes};
  }
};

/// Exact expectation over all episodes, step limit and discount included, when actions are sampled from the
/// table's rows (apply `select` first). Cost: horizon × outcomes; for an endless model that of solving linear
/// equations (absorbing_chain.h).
Evaluation evaluate_exactly(const FiniteModel& model, const PolicyTable& policy);

/// A state that an episode of the policy may visit for ever, if the model is endless and nothing is
/// discounted: then there is no return. REQUIRES: the policy is defined on everything it visits.
std::optional<StateId> find_endless(const FiniteModel& model, const PolicyTable& policy);

/// The first of these states in which the policy's row is undefined.
std::optional<Evaluation::Undefined> find_undefined(const FiniteModel& model, const PolicyTable& policy,
                                                    const std::vector<StateId>& states);

}  // namespace ndnf
