#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/mdp/finite_model.h"

namespace ndnf {

/// What a file says about one variable of its states.
struct StateVariable {
  std::string name;
  bool boolean = false;
  std::vector<std::optional<std::int64_t>> values{};  ///< By state; 0 and 1 for a boolean.

  std::optional<std::int64_t> in(StateId state) const {
    return state < values.size() ? values[state] : std::nullopt;
  }
};

/// The values of several variables, state by state.
class StateVariables {
 public:
  /// Returns the mistake, if there is one: a second value, or a number here and a truth value elsewhere.
  std::string set(StateId state, std::string_view name, std::int64_t value, bool boolean);
  const std::vector<StateVariable>& all() const { return variables_; }

 private:
  std::vector<StateVariable> variables_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// A DRN file as it is written: Storm's explicit format for Markov models.
struct DrnModel {
  struct Choice {
    std::uint32_t action = 0;
    std::uint32_t end = 0;  ///< Where its transitions end; they follow those of the choice before.
  };
  struct Transition {
    StateId next = 0;
    double probability = 0;
  };

  std::string type;  ///< DTMC, MDP or POMDP.
  std::vector<std::string> reward_models;
  std::vector<std::string> actions;        ///< The labels of choices, in order of appearance.
  std::vector<std::uint32_t> choice_end;   ///< By state.
  std::vector<std::uint32_t> observation;  ///< By state; of a POMDP only.
  std::vector<Choice> choices;
  std::vector<Transition> transitions;
  std::vector<double> state_rewards;   ///< (states, reward models)
  std::vector<double> choice_rewards;  ///< (choices, reward models)
  std::map<std::string, std::vector<StateId>> labels;
  StateVariables variables;
  std::optional<std::size_t> step_limit;  ///< From a comment of ours: the format has none.
  double discount = 1;                    ///< Likewise.

  std::size_t state_count() const { return choice_end.size(); }
};

/// Parses the text of a DRN file. Throws Error with the line, and for other types of model and parametric
/// ones.
DrnModel parse_drn(const std::string& name, std::string_view text);

/// Adds the values in a `.sta` file, as PRISM writes it: `(x,y)`, then a line `0:(1,true)` per state.
void parse_states(const std::string& name, std::string_view text, DrnModel& model);

}  // namespace ndnf
