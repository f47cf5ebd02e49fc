#include "ndnf/env/drn_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/env/drn_observations.h"
#include "ndnf/env/drn_parser.h"
#include "ndnf/env/model_file.h"

namespace ndnf {
namespace {

constexpr std::string_view kExtension = ".drn";
/// How far from 1 the probabilities of a choice may sum.
constexpr double kRounding = 1e-6;

/// Turns a parsed file into a finite model.
class DrnTask {
 public:
  DrnTask(const DrnModel& model, const DrnSettings& settings)
      : drn_(model), settings_(settings), states_(static_cast<StateId>(model.state_count())) {
    choose_reward();
    find_ends();
    find_start();
    name_actions();
  }

  FiniteModel build() {
    std::vector<bool> decides = ends_;
    decides.flip();
    if (draw_) decides[*draw_] = false;
    DrnObservations shown = observations_of(drn_, decides, action_names_);
    data_.observations = std::move(shown.table);
    data_.discount = settings_.discount > 0 ? settings_.discount : drn_.discount;
    data_.step_limit = settings_.limit > 0 ? static_cast<std::size_t>(settings_.limit) : drn_.step_limit;
    make_labels();
    std::vector<std::vector<Outcome>> rows(action_names_.size());
    for (StateId s = 0; s < states_; ++s) {
      if (s == draw_) continue;
      for (auto& row : rows) row.clear();
      for (std::uint32_t c = ends_[s] ? choices_end(s) : choices_begin(s); c < choices_end(s); ++c)
        rows[action_[c]] = outcomes(s, c);
      data_.add_state(shown.of_state[s], rows);
    }
    if (draw_) {
      for (const Outcome& drawn : outcomes(*draw_, choices_begin(*draw_)))
        data_.starts.push_back({drawn.probability, drawn.next});
    } else {
      data_.starts.push_back({1, number(start_)});
    }
    return FiniteModel(std::move(data_));
  }

 private:
  std::uint32_t choices_begin(StateId s) const { return s == 0 ? 0 : drn_.choice_end[s - 1]; }
  std::uint32_t choices_end(StateId s) const { return drn_.choice_end[s]; }
  std::span<const DrnModel::Transition> transitions(std::uint32_t choice) const {
    const std::uint32_t begin = choice == 0 ? 0 : drn_.choices[choice - 1].end;
    return {drn_.transitions.data() + begin, drn_.choices[choice].end - begin};
  }
  /// The number of a state in the model: the file's, without the state that draws the start.
  StateId number(StateId s) const { return draw_ && s > *draw_ ? s - 1 : s; }

  static double sum_of(std::span<const DrnModel::Transition> row) {
    double sum = 0;
    for (const auto& t : row) sum += t.probability;
    return sum;
  }

  const std::vector<StateId>& labelled(const std::string& label) const {
    static const std::vector<StateId> kNone;
    const auto found = drn_.labels.find(label);
    return found == drn_.labels.end() ? kNone : found->second;
  }

  void choose_reward() {
    const auto& models = drn_.reward_models;
    if (settings_.reward.empty()) {
      if (!settings_.goal.empty()) return;  // 1 for the goal
      if (models.empty()) {
        std::vector<std::string> labels;
        for (const auto& [label, members] : drn_.labels) labels.push_back(label);
        throw Error("", "the model has no rewards",
                    fmt::format("name a label to be reached, as in FILE.drn:goal=LABEL; it has {}",
                                fmt::join(labels, ", ")));
      }
      if (models.size() > 1) {
        throw Error("", fmt::format("the model has {} reward models", models.size()),
                    fmt::format("name one of them, as in FILE.drn:reward={}", models[0]));
      }
      reward_ = 0;
      return;
    }
    const auto found = std::find(models.begin(), models.end(), settings_.reward);
    if (found == models.end()) {
      throw Error("", fmt::format("there is no reward model {}", settings_.reward),
                  suggestion(settings_.reward, models));
    }
    reward_ = static_cast<std::size_t>(found - models.begin());
  }

  /// What a step from this state with this choice earns, before the goal is counted.
  double reward(StateId s, std::uint32_t choice) const {
    if (!reward_) return 0;
    const std::size_t models = drn_.reward_models.size();
    const double sum =
        drn_.state_rewards[s * models + *reward_] + drn_.choice_rewards[choice * models + *reward_];
    return settings_.costs ? 0 - sum : sum;
  }

  bool leads_only_to(StateId s, std::uint32_t choice) const {
    const auto row = transitions(choice);
    return std::all_of(row.begin(), row.end(), [&](const auto& t) { return t.next == s; });
  }

  /// An episode ends at the goal, and where nothing can change or be earned any more.
  void find_ends() {
    ends_.assign(states_, true);
    for (StateId s = 0; s < states_; ++s) {
      if (choices_begin(s) == choices_end(s))
        throw Error(fmt::format("state {}", s), "has no choices", "a state that is left nowhere has a loop");
      for (std::uint32_t c = choices_begin(s); c < choices_end(s); ++c)
        ends_[s] = ends_[s] && leads_only_to(s, c) && reward(s, c) == 0;
    }
    if (settings_.goal.empty()) return;
    if (labelled(settings_.goal).empty()) {
      std::vector<std::string> labels;
      for (const auto& [label, members] : drn_.labels) labels.push_back(label);
      throw Error("", fmt::format("no state has the label {}", settings_.goal),
                  suggestion(settings_.goal, labels));
    }
    for (const StateId s : labelled(settings_.goal)) ends_[s] = true;
  }

  /// The state labelled init. If it has a single choice that earns nothing and nothing leads back to it, it
  /// is not a state of the task: it draws where episodes start.
  void find_start() {
    const auto& initial = labelled("init");
    if (initial.size() != 1)
      throw Error("", fmt::format("{} states have the label init", initial.size()), "a task needs one");
    start_ = initial[0];
    const std::uint32_t choice = choices_begin(start_);
    if (drn_.type == "DTMC" || choices_end(start_) != choice + 1 || reward(start_, choice) != 0) return;
    const auto returns = [&](const auto& t) { return t.next == start_; };
    if (std::any_of(drn_.transitions.begin(), drn_.transitions.end(), returns)) return;
    for (const auto& [label, members] : drn_.labels) {
      if (label != "init" && std::binary_search(members.begin(), members.end(), start_)) return;
    }
    const auto row = transitions(choice);
    if (std::any_of(row.begin(), row.end(), [&](const auto& t) { return ends_[t.next]; })) return;
    draw_ = start_;
  }

  /// Each choice's action: its label, with a number if a state has the same label twice.
  void name_actions() {
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> index;
    ProgramWords words("choice_");
    action_.resize(drn_.choices.size());
    std::map<std::uint32_t, std::size_t> seen;
    for (StateId s = 0; s < states_; ++s) {
      if (ends_[s] || s == draw_) continue;
      seen.clear();
      for (std::uint32_t c = choices_begin(s); c < choices_end(s); ++c) {
        const std::uint32_t label = drn_.choices[c].action;
        const auto next = static_cast<std::uint32_t>(action_names_.size());
        const auto [at, added] = index.try_emplace({label, seen[label]++}, next);
        if (added) action_names_.push_back(words.add(drn_.actions[label], 0));
        action_[c] = at->second;
      }
    }
    if (action_names_.empty()) throw Error("", "every state is an end state", "nothing is decided");
  }

  std::vector<Outcome> outcomes(StateId s, std::uint32_t choice) const {
    const auto& goals = labelled(settings_.goal);
    const double sum = sum_of(transitions(choice));
    const double scale = std::abs(sum - 1) <= kRounding ? 1 / sum : 1;  // decimals of the file are rounded
    std::vector<Outcome> row;
    for (const auto& t : transitions(choice)) {
      const bool reached = std::binary_search(goals.begin(), goals.end(), t.next);
      const double bonus = reached && !reward_ ? 1 : 0;
      const std::int8_t tag = ends_[t.next] ? tag_[t.next] : std::int8_t{-1};
      row.push_back({std::min(1.0, t.probability * scale), reward(s, choice) + bonus, number(t.next),
                     ends_[t.next], tag});
    }
    return row;
  }

  /// A label that only end states have, each of which has no other such label, tells how an episode ended:
  /// it becomes a tag. init, end and deadlock are the model checkers' own.
  void make_labels() {
    ProgramWords words("label_");
    std::vector<std::size_t> tags_of(states_, 0);
    const auto only_ends = [&](const auto& members) {
      return std::all_of(members.begin(), members.end(), [&](StateId s) { return ends_[s]; });
    };
    const auto own = [](const std::string& name) {
      return name == "init" || name == "end" || name == "deadlock";
    };
    for (const auto& [name, members] : drn_.labels) {
      if (own(name) || !only_ends(members)) continue;
      for (const StateId s : members) ++tags_of[s];
    }
    tag_.assign(states_, -1);
    constexpr std::size_t kMostTags = std::numeric_limits<std::int8_t>::max();
    for (const auto& [name, members] : drn_.labels) {
      if (own(name)) continue;
      const auto single = [&](StateId s) { return tags_of[s] == 1; };
      const std::string word = words.add(name, 0);
      const bool is_tag = only_ends(members) && std::all_of(members.begin(), members.end(), single) &&
                          !is_figure(word) && data_.tags.size() < kMostTags;
      if (is_tag) {
        for (const StateId s : members) tag_[s] = static_cast<std::int8_t>(data_.tags.size());
        data_.tags.push_back(word);
      } else {
        for (const StateId s : members) {
          if (s != draw_) data_.labels[word].push_back(number(s));
        }
      }
    }
  }

  const DrnModel& drn_;
  const DrnSettings& settings_;
  StateId states_;
  std::optional<std::size_t> reward_;  // the reward model; without one the goal is worth 1
  std::vector<bool> ends_;
  StateId start_ = 0;
  std::optional<StateId> draw_;
  std::vector<std::string> action_names_;
  std::vector<std::uint32_t> action_;  // by choice
  std::vector<std::int8_t> tag_;       // by state of the file
  FiniteModelData data_;
};

}  // namespace

ConfigTable<DrnSettings> drn_settings() {
  ConfigTable<DrnSettings> table;
  table.integer("limit", &DrnSettings::limit, 0, 1000000000,
                "episodes are truncated after this many steps; 0: as the file says");
  table.real("discount", &DrnSettings::discount, 0, 1,
             "a reward after k steps counts this to the power of k; 0: as the file says");
  table.text("reward", &DrnSettings::reward, "the reward model to be maximised; empty: the only one");
  table.text("goal", &DrnSettings::goal,
             "the label of states that end an episode; without a reward model they are worth 1");
  table.flag("costs", &DrnSettings::costs, "rewards are costs, to be minimised");
  return table;
}

bool is_drn_spec(std::string_view spec) {
  return spec.ends_with(kExtension) || spec.find(".drn:") != spec.npos;
}

Task read_drn_file(const Input& spec) {
  const std::size_t colon = spec.name.find(".drn:");
  const std::string file =
      colon == spec.name.npos ? spec.name : spec.name.substr(0, colon + kExtension.size());
  const std::vector<ConfigAssignment> assignments =
      file == spec.name ? std::vector<ConfigAssignment>()
                        : parse_assignments(spec.name, std::string_view(spec.name).substr(file.size() + 1));
  const ConfigTable<DrnSettings> table = drn_settings();
  const DrnSettings settings = table.read(spec.name, assignments);
  DrnModel drn = parse_drn(file, spec.is_file() ? Input(file).read() : spec.read());
  const std::string side = file.substr(0, file.size() - kExtension.size()) + ".sta";
  if (spec.is_file() && std::filesystem::exists(side)) parse_states(side, Input(side).read(), drn);
  try {
    const FiniteModel model = DrnTask(drn, settings).build();
    drn = {};
    const std::string name = std::filesystem::path(file).filename().string();
    Task task = model_task(model, name, to_model_file(model, name));
    task.spec = canonical_spec(spec.name, file, table.fields(), assignments);
    return task;
  } catch (const Error& error) {
    throw Error(file, error.what());
  }
}

}  // namespace ndnf
