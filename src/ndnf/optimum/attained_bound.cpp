#include "ndnf/optimum/attained_bound.h"

#include <bit>
#include <cstddef>

#include "ndnf/optimum/backward_induction.h"

namespace ndnf {
namespace {

/// Limits of the search: (step, state) pairs stored, and pairs processed, including repeats after
/// backtracking.
constexpr std::size_t kMaxPairs = std::size_t{1} << 22;
constexpr std::size_t kMaxVisits = 2'000'000;

/// Depth-first search with backtracking. The agenda lists the (step, state) pairs that the decisions so far
/// lead to. An observation gets its action when the agenda first reaches it; if a later pair with the same
/// observation does not have that action among its optimal ones, the last decision is revised. When the
/// agenda is exhausted, every reached pair takes an optimal action, so the policy attains the bound.
/// Exponential in the number of observations at worst, hence the limits. In an endless model the step does
/// not matter: it stays 0.
class Search {
 public:
  Search(const FiniteModel& model, const std::vector<ActionId>& preferred)
      : model_(model),
        optimal_(model),
        preferred_(preferred),
        chosen_(preferred.size()),
        listed_((model.endless() ? 1 : model.horizon()) * model.state_count(), false) {
    for (const Start& start : model.starts()) list({0, start.state});
  }

  std::optional<std::vector<ActionId>> run() {
    for (std::size_t visits = 0; position_ < agenda_.size(); ++visits) {
      const Pair pair = agenda_[position_];
      const ObsId obs = model_.observation(pair.state);
      const ActionSet optimal = optimal_.at(model_.horizon() - pair.step, pair.state);
      if (!chosen_[obs]) decide(obs, optimal);
      if ((optimal >> *chosen_[obs] & 1) != 0) {
        proceed(*chosen_[obs]);
      } else if (visits >= kMaxVisits || !backtrack()) {
        return std::nullopt;
      }
    }
    std::vector<ActionId> actions = preferred_;
    for (ObsId obs = 0; obs < actions.size(); ++obs) actions[obs] = chosen_[obs].value_or(actions[obs]);
    return actions;
  }

 private:
  struct Pair {
    std::size_t step;
    StateId state;
  };
  struct Decision {
    ObsId observation;
    ActionSet untried;
    std::size_t position;     // in the agenda when the decision was made
    std::size_t agenda_size;  //
  };

  void list(Pair pair) {
    const std::size_t index = pair.step * model_.state_count() + pair.state;
    if (listed_[index]) return;
    listed_[index] = true;
    agenda_.push_back(pair);
  }

  void decide(ObsId obs, ActionSet optimal) {
    const ActionSet favourite = ActionSet{1} << preferred_[obs];
    decisions_.push_back({obs, optimal, position_, agenda_.size()});
    choose(decisions_.back(), (optimal & favourite) != 0 ? favourite : optimal);
  }

  /// Chooses the set's first action for the decision's observation.
  void choose(Decision& decision, ActionSet set) {
    const auto action = static_cast<ActionId>(std::countr_zero(set));
    decision.untried &= ~(ActionSet{1} << action);
    chosen_[decision.observation] = action;
  }

  void proceed(ActionId action) {
    const Pair pair = agenda_[position_++];
    const std::size_t next = model_.endless() ? 0 : pair.step + 1;
    if (next == model_.horizon()) return;
    for (const Outcome& outcome : model_.outcomes(pair.state, action)) {
      if (!outcome.terminal) list({next, outcome.next});
    }
  }

  /// Returns to the last decision with an untried action and tries it. False if there is none.
  bool backtrack() {
    for (; !decisions_.empty(); decisions_.pop_back()) {
      Decision& decision = decisions_.back();
      for (; agenda_.size() > decision.agenda_size; agenda_.pop_back()) {
        listed_[agenda_.back().step * model_.state_count() + agenda_.back().state] = false;
      }
      position_ = decision.position;
      if (decision.untried != 0) {
        choose(decision, decision.untried);
        return true;
      }
      chosen_[decision.observation].reset();
    }
    return false;
  }

  const FiniteModel& model_;
  const OptimalActions optimal_;
  const std::vector<ActionId>& preferred_;
  std::vector<std::optional<ActionId>> chosen_;  // per observation
  std::vector<bool> listed_;                     // (steps, states): on the agenda
  std::vector<Pair> agenda_;
  std::size_t position_ = 0;
  std::vector<Decision> decisions_;
};

}  // namespace

std::optional<std::vector<ActionId>> attain_bound(const FiniteModel& model,
                                                  const std::vector<ActionId>& preferred) {
  const std::size_t steps = model.endless() ? 1 : model.horizon();
  if (steps > kMaxPairs / model.state_count()) return std::nullopt;
  return Search(model, preferred).run();
}

}  // namespace ndnf
