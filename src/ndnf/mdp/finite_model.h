#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/action_mask.h"
#include "ndnf/mdp/observation_table.h"

namespace ndnf {

using StateId = std::uint32_t;

/// One possible outcome of an action. A terminal outcome ends the episode in `next`.
struct Outcome {
  double probability = 1;
  double reward = 0;
  StateId next = 0;
  bool terminal = false;
  std::int8_t tag = -1;  ///< How the episode ended: an index into the model's tags (win, draw, loss), or −1.
};

struct Start {
  double probability = 1;
  StateId state = 0;
};

/// The data of a FiniteModel: filled by an environment or a file reader, validated by FiniteModel.
struct FiniteModelData {
  std::shared_ptr<const ObservationTable> observations;
  std::vector<ObsId> observation;  ///< The observation of each state; its length is the number of states.
  std::vector<Outcome> outcomes;   ///< By row: state 0 action 0, state 0 action 1, …
  /// One per row: where its outcomes end. All rows of an end state are empty.
  std::vector<std::uint32_t> row_ends;
  std::vector<Start> starts;
  std::optional<std::size_t> step_limit;               ///< Episodes are truncated after this many steps.
  double discount = 1;                                 ///< A reward after k steps counts discount^k.
  std::vector<std::string> tags;                       ///< Names for the ways in which an episode may end.
  std::map<std::string, std::vector<StateId>> labels;  ///< Named state sets, for properties.

  /// The actions that each observation offers, one bit each; empty if all are offered everywhere, 0 where
  /// nothing is decided. The row of an action that a state does not offer repeats that of one it does offer.
  std::vector<std::uint64_t> offered;

  /// Appends the outcomes of the next (state, action) pair. Throws Error beyond 2³² outcomes.
  void add_row(std::span<const Outcome> row);
  /// Appends a state with one row per action. An action without outcomes is not offered, unless all are: then
  /// this is an end state. Throws Error if another state with this observation offers other actions, since
  /// the agent could not know.
  void add_state(ObsId obs, std::span<const std::vector<Outcome>> rows);
};

/// A finite Markov decision process with named observations: the single description of an environment that
/// simulation, exact evaluation, the optimum and verification are based on. Immutable, and valid once
/// constructed:
///  - the outcomes of every (state, action) have probabilities in (0, 1] that sum to 1 (within 1e-9), or the
///    state is an *end state*: without outcomes or decisions, entered only by terminal outcomes;
///  - the start states have probabilities that sum to 1, and none is an end state;
///  - every number is finite, every state, observation and tag exists, and only terminal outcomes have tags;
///  - the discount is above 0 and at most 1.
/// Without a step limit a state may be visited any number of times: then the model is *endless*. Whether the
/// episodes of a policy end with probability 1 is a question about the policy (evaluate.h).
class FiniteModel {
 public:
  /// The horizon of an endless model.
  static constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max();

  /// Throws Error naming the state and action at fault.
  explicit FiniteModel(FiniteModelData data);

  std::size_t state_count() const { return data_.observation.size(); }
  std::size_t action_count() const { return vocabulary().action_count(); }
  const Vocabulary& vocabulary() const { return data_.observations->vocabulary(); }
  const ObservationTable& observations() const { return *data_.observations; }
  const std::shared_ptr<const ObservationTable>& shared_observations() const { return data_.observations; }
  ObsId observation(StateId state) const { return data_.observation[state]; }
  bool is_end(StateId state) const { return outcomes(state, 0).empty(); }

  std::span<const Outcome> outcomes(StateId state, ActionId action) const {
    const std::size_t row = state * action_count() + action;
    const std::uint32_t begin = row_begin(row);
    return {data_.outcomes.data() + begin, data_.row_ends[row] - begin};
  }
  /// All outcomes, row by row: state 0 action 0, state 0 action 1, …; and where a row begins.
  std::span<const Outcome> all_outcomes() const { return data_.outcomes; }
  std::uint32_t row_begin(std::size_t row) const { return row == 0 ? 0 : data_.row_ends[row - 1]; }
  std::size_t outcome_count() const { return data_.outcomes.size(); }
  std::span<const Start> starts() const { return data_.starts; }
  std::optional<std::size_t> step_limit() const { return data_.step_limit; }
  /// The most decisions an episode can have: the step limit or, without one, the longest path; kEndless if
  /// there is none. A loop up to it must also stop for a reason of its own.
  std::size_t horizon() const { return horizon_; }
  bool endless() const { return horizon_ == kEndless; }
  /// Of returns alone: lengths, probabilities and numbers of visits are not discounted.
  double discount() const { return data_.discount; }
  /// The same model with another discount. Throws Error if it is not allowed.
  FiniteModel discounted(double discount) const;
  const std::vector<std::string>& tags() const { return data_.tags; }
  /// The actions that each observation offers; empty if all are offered everywhere. Others are never taken;
  /// their outcomes repeat those of an offered action, so no bound or optimum depends on them.
  const std::optional<ActionMask>& offered() const { return offered_; }
  const std::map<std::string, std::vector<StateId>>& labels() const { return data_.labels; }

  /// States with outcomes, and the distinct observations that they show, ascending.
  std::size_t decision_state_count() const;
  std::vector<ObsId> decision_observations() const;

 private:
  FiniteModelData data_;
  std::optional<ActionMask> offered_;
  std::size_t horizon_ = 0;
};

}  // namespace ndnf
