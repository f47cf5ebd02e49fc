#include "ndnf/env/drn_observations.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "ndnf/mdp/reserved_names.h"

namespace ndnf {
namespace {

/// What the agent observes in a state is a list of columns: variables and, perhaps, a number.
struct Column {
  AtomGroup group;
  std::vector<std::int64_t> values;         ///< Ascending: those of the group's atoms.
  const StateVariable* variable = nullptr;  ///< Null for the number of the state or observation.
};

class ObservationMaker {
 public:
  ObservationMaker(const DrnModel& model, const std::vector<bool>& decides)
      : model_(model), decides_(decides) {}

  DrnObservations make(const std::vector<std::string>& actions) {
    for (const StateVariable& variable : model_.variables.all()) {
      if (is_visible(variable)) add_column(variable.name, &variable);
    }
    if (columns_.empty() || !tell_apart())
      add_column(model_.observation.empty() ? "state" : "observation", nullptr);
    std::vector<AtomGroup> groups;
    for (const Column& column : columns_) groups.push_back(column.group);
    auto table =
        std::make_shared<ObservationTable>(std::make_shared<const Vocabulary>(std::move(groups), actions));
    std::vector<ObsId> of_state(decides_.size(), 0);
    std::vector<std::uint32_t> row;
    for (StateId s = 0; s < decides_.size(); ++s) {
      if (decides_[s]) of_state[s] = table->intern(indices(s, row));
    }
    return {std::move(table), std::move(of_state)};
  }

 private:
  std::int64_t number(StateId s) const { return model_.observation.empty() ? s : model_.observation[s]; }
  std::int64_t value(const StateVariable* variable, StateId s) const {
    return variable == nullptr ? number(s) : *variable->in(s);
  }

  /// Whether every deciding state has a value, and states with the same observation the same.
  bool is_visible(const StateVariable& variable) const {
    std::unordered_map<std::int64_t, std::int64_t> value_of;
    for (StateId s = 0; s < decides_.size(); ++s) {
      if (!decides_[s]) continue;
      const auto own = variable.in(s);
      if (!own || value_of.try_emplace(number(s), *own).first->second != *own) return false;
    }
    return true;
  }

  /// Variables that never change are left out.
  void add_column(const std::string& name, const StateVariable* variable) {
    Column column{{}, {}, variable};
    for (StateId s = 0; s < decides_.size(); ++s) {
      if (decides_[s]) column.values.push_back(value(variable, s));
    }
    std::sort(column.values.begin(), column.values.end());
    column.values.erase(std::unique(column.values.begin(), column.values.end()), column.values.end());
    if (variable != nullptr && column.values.size() < 2) return;
    if (variable != nullptr && variable->boolean) {
      column.group = AtomGroup::single(words_.add(name, 0));
    } else {
      const std::string word = words_.add(name, 1);
      column.group = {word, true, {}};
      for (const std::int64_t v : column.values) column.group.atoms.push_back(fmt::format("{}({})", word, v));
    }
    columns_.push_back(std::move(column));
  }

  /// Whether different observations have different values.
  bool tell_apart() {
    std::map<std::vector<std::uint32_t>, std::int64_t> number_of;
    std::vector<std::uint32_t> row;
    for (StateId s = 0; s < decides_.size(); ++s) {
      if (decides_[s] && number_of.try_emplace(indices(s, row), number(s)).first->second != number(s))
        return false;
    }
    return true;
  }

  /// One value per group, as an ObservationTable stores them.
  const std::vector<std::uint32_t>& indices(StateId s, std::vector<std::uint32_t>& row) const {
    row.clear();
    for (const Column& column : columns_) {
      const auto at = std::lower_bound(column.values.begin(), column.values.end(), value(column.variable, s));
      row.push_back(static_cast<std::uint32_t>(at - column.values.begin()));
    }
    return row;
  }

  const DrnModel& model_;
  const std::vector<bool>& decides_;
  ProgramWords words_{"v_"};
  std::vector<Column> columns_;
};

}  // namespace

std::string ProgramWords::add(std::string_view name, std::size_t arity) {
  std::string word = identifier(name, "");
  if (!word.empty()) word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  if (is_reserved_atom(word, arity)) word += "_value";
  return identifiers_.add(word);
}

DrnObservations observations_of(const DrnModel& model, const std::vector<bool>& decides,
                                const std::vector<std::string>& actions) {
  return ObservationMaker(model, decides).make(actions);
}

}  // namespace ndnf
