#include "ndnf/export/task_drn.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/export/drn_heading.h"

namespace ndnf {
namespace {

/// Numbers the states for the file: an optional start state, the decision states, and one absorbing state per
/// ending.
class TaskWriter {
 public:
  explicit TaskWriter(const FiniteModel& model)
      : model_(model), number_(model.state_count(), 0), labels_(model.state_count()) {
    for (const auto& [name, members] : model.labels()) {
      for (const StateId s : members) labels_[s] += " " + name;
    }
    std::size_t next = draws_start(model) ? 1 : 0;
    std::vector<bool> shown(model.observations().size(), false);
    for (StateId s = 0; s < model.state_count(); ++s) {
      if (model.is_end(s)) continue;
      number_[s] = next++;
      partial_ = partial_ || shown[model.observation(s)];
      shown[model.observation(s)] = true;
      for (ActionId a = 0; a < model.action_count(); ++a) {
        for (const Outcome& outcome : model.outcomes(s, a)) {
          if (outcome.terminal) ends_.try_emplace({outcome.next, outcome.tag}, 0);
        }
      }
    }
    for (auto& [key, number] : ends_) number = next++;
    count_ = next;
  }

  std::string write() {
    write_header();
    if (draws_start(model_)) {
      write_state(0, own_observation(1), " init");
      out_ += "\taction start [0]\n";
      for (const Start& start : model_.starts()) write_target(number_[start.state], start.probability);
    }
    for (StateId s = 0; s < model_.state_count(); ++s) {
      if (!model_.is_end(s)) write_decision(s);
    }
    for (const auto& [key, number] : ends_) {
      const std::string tag = key.second < 0 ? "" : " " + model_.tags()[static_cast<std::size_t>(key.second)];
      write_state(number, own_observation(0), " end" + tag + labels_[key.first]);
      out_ += "\taction stay [0]\n";
      write_target(number, 1);
    }
    return std::move(out_);
  }

 private:
  bool offers(ObsId obs, ActionId action) const {
    return !model_.offered() || model_.offered()->allows(obs, action);
  }
  /// Observations of states that are not in the model come after all others.
  std::size_t own_observation(std::size_t which) const { return model_.observations().size() + which; }

  void write_header() {
    std::size_t choices = (draws_start(model_) ? 1 : 0) + ends_.size();
    for (StateId s = 0; s < model_.state_count(); ++s) {
      for (ActionId a = 0; a < model_.action_count() && !model_.is_end(s); ++a)
        choices += offers(model_.observation(s), a) ? 1 : 0;
    }
    out_ = drn_heading(model_, model_.step_limit().has_value(), partial_ ? "POMDP" : "MDP", count_, choices);
  }

  void write_state(std::size_t number, std::size_t observation, const std::string& labels) {
    out_ += fmt::format("state {}", number);
    if (partial_) out_ += fmt::format(" {{{}}}", observation);
    out_ += " [0]" + labels + "\n";
  }

  void write_decision(StateId s) {
    const bool start = !draws_start(model_) && model_.starts()[0].state == s;
    write_state(number_[s], model_.observation(s), (start ? " init" : "") + labels_[s]);
    out_ += "//[" + valuation(model_.observation(s)) + "]\n";
    for (ActionId a = 0; a < model_.action_count(); ++a) {
      if (!offers(model_.observation(s), a)) continue;
      std::map<std::size_t, double> targets;
      double reward = 0;
      for (const Outcome& outcome : model_.outcomes(s, a)) {
        reward += outcome.probability * outcome.reward;
        const std::size_t target =
            outcome.terminal ? ends_.at({outcome.next, outcome.tag}) : number_[outcome.next];
        targets[target] += outcome.probability;
      }
      out_ += fmt::format("\taction {} [{}]\n", model_.vocabulary().action_name(a), reward);
      for (const auto& [target, probability] : targets) write_target(target, probability);
    }
  }

  void write_target(std::size_t target, double probability) {
    out_ += fmt::format("\t\t{} : {}\n", target, probability);
  }

  /// In Storm's notation: `hand=18`, `usable_ace` or `!usable_ace`.
  std::string valuation(ObsId obs) const {
    const ObservationTable& table = model_.observations();
    std::vector<std::string> parts;
    for (std::size_t g = 0; g < table.vocabulary().group_count(); ++g) {
      const AtomGroup& group = table.vocabulary().group(g);
      const std::uint32_t value = table.values(obs)[g];
      if (!group.one_hot) {
        parts.push_back((value == 0 ? "!" : "") + group.atoms[0]);
      } else if (const auto number = number_in(group.atoms[value])) {
        parts.push_back(fmt::format("{}={}", number->first, number->second));
      } else {
        parts.push_back(fmt::format("{}={}", group.name, value));
      }
    }
    return fmt::format("{}", fmt::join(parts, " & "));
  }

  /// hand(18) as {hand, 18}.
  static std::optional<std::pair<std::string_view, std::string_view>> number_in(std::string_view atom) {
    const std::size_t open = atom.find('(');
    if (open == atom.npos || !atom.ends_with(')')) return std::nullopt;
    const std::string_view number = atom.substr(open + 1, atom.size() - open - 2);
    const bool whole = number.find_first_not_of("0123456789") == number.npos;
    if (number.empty() || !whole) return std::nullopt;
    return std::pair(atom.substr(0, open), number);
  }

  const FiniteModel& model_;
  std::vector<std::size_t> number_;
  std::vector<std::string> labels_;
  std::map<std::pair<StateId, std::int8_t>, std::size_t> ends_;
  bool partial_ = false;  // two decision states look the same
  std::size_t count_ = 0;
  std::string out_;
};

}  // namespace

std::string task_to_drn(const FiniteModel& model) { return TaskWriter(model).write(); }

}  // namespace ndnf
