#include "ndnf/pipeline/policy_views.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/env/layout.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/state_values.h"
#include "ndnf/mdp/visited_chain.h"
#include "ndnf/optimum/optimum.h"
#include "ndnf/pipeline/number_plane.h"
#include "ndnf/report/axis.h"
#include "ndnf/simulation/simulate.h"

namespace ndnf {
namespace {

/// The most places that are drawn; panels beyond them are left out.
constexpr std::size_t kMostPlaces = 5000;
constexpr std::size_t kMostListed = 60;

/// The actions that the best policy takes, if it is known at once.
class Reference {
 public:
  explicit Reference(const DrawnPolicy& policy) {
    const FiniteModel& model = policy.task.model();
    if (!is_optimum_cheap(model)) return;
    try {
      const bool shielded = policy.own.shielded && policy.own.mask;
      const Optimum optimum = shielded ? find_optimum(model, *policy.own.mask) : find_optimum(model);
      best_ = optimum.policy;
      if (!shielded) tied_ = with_ties(model, optimum);
      found_ = optimum.best_return();
    } catch (const Error&) {  // there is none: nothing is compared
      best_.reset();
    }
  }

  bool differs(const PolicyTable& policy, ObsId obs) const {
    if (!best_ || !policy.defined(obs)) return false;
    const ActionId action = policy.argmax(obs);
    return best_->row(obs)[action] <= kNever && !(tied_ && tied_->row(obs)[action] > kNever);
  }
  std::string name() const {
    return found_ && !found_->proved() ? "the best policy found" : "the optimal policy";
  }
  const std::optional<BestReturn>& found() const { return found_; }

 private:
  static constexpr double kNever = 1e-9;
  std::optional<PolicyTable> best_;
  std::optional<PolicyTable> tied_;
  std::optional<BestReturn> found_;
};

std::vector<double> visits_by_state(const FiniteModel& model, const PolicyTable& policy) {
  std::vector<double> visits(model.state_count(), 0);
  const VisitedChain chain{InducedChain(model, policy)};
  const std::vector<double> expected = chain.expected_visits();
  for (std::size_t i = 0; i < expected.size(); ++i) visits[chain.states()[i]] = expected[i];
  return visits;
}

/// Everything that both kinds of pictures show of the states.
struct StateFigures {
  Evaluation evaluation;
  std::vector<double> values;  ///< Per state; empty if they were left out.
  std::vector<bool> decided;   ///< Per state: some policy decides there.
  std::vector<bool> visited;   ///< Per state: this one does.
  std::vector<double> visits;  ///< Per state: expected decisions in an episode; empty without a return.

  StateFigures(const DrawnPolicy& policy, bool values_needed)
      : decided(policy.task.model().state_count(), false), visited(decided) {
    const FiniteModel& model = policy.task.model();
    for (const StateId s : reachable(model).states) decided[s] = true;
    for (const StateId s : ndnf::visited(model, policy.taken.table).states) visited[s] = true;
    try {
      evaluation = evaluate_exactly(model, policy.taken.table);
      values = state_values(model, policy.taken.table);
      if (evaluation.has_return()) visits = visits_by_state(model, policy.taken.table);
    } catch (const Error&) {  // an endless model that is too large for exact figures
      if (values_needed) throw;
      evaluation.undefined = Evaluation::Undefined{};
    }
  }

  std::optional<double> value(StateId s) const {
    if (values.empty() || std::isnan(values[s])) return std::nullopt;
    return values[s];
  }
};

/// A return with enough digits to compare it with another.
std::string with_digits(double number) {
  const int decimals = std::abs(number) >= 100 ? 2 : std::abs(number) >= 1 ? 3 : 5;
  return figure_text(number, std::abs(number - std::round(number)) < 1e-9 ? 0 : decimals);
}

std::string remark_of(const DrawnPolicy& policy, const StateFigures& figures, const Reference& reference) {
  std::string text = fmt::format("actions picked by {}{}", policy.taken.select.to_string(),
                                 policy.taken.shielded ? ", shielded" : "");
  if (policy.task.discount < 1) text += fmt::format(", discount {:g}", policy.task.discount);
  if (figures.evaluation.has_return())
    text += fmt::format("; expected return {}", with_digits(figures.evaluation.mean_return));
  if (reference.found())
    text += fmt::format("; {} {}", reference.found()->proved() ? "optimum" : "best found",
                        with_digits(reference.found()->found));
  return text;
}

/// Per state: the labels that tell it from other states of its panel.
std::vector<std::vector<std::string>> labels_on_map(const FiniteModel& model, const Layout& layout,
                                                    const StateFigures& figures) {
  std::vector<std::size_t> sizes(layout.panels.size(), 0);
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (const auto place = layout.place(s)) ++sizes[place->panel];
  }
  auto named = model.labels();
  std::vector<StateId> starts;
  for (const Start& start : model.starts()) starts.push_back(start.state);
  const auto decided =
      static_cast<std::size_t>(std::count(figures.decided.begin(), figures.decided.end(), true));
  if (!named.contains("start") && 4 * starts.size() <= std::max<std::size_t>(4, decided))
    named["start"] = starts;
  std::vector<std::vector<std::string>> labels(model.state_count());
  for (const auto& [name, members] : named) {
    std::vector<std::size_t> here(layout.panels.size(), 0);
    for (const StateId s : members) {
      if (const auto place = layout.place(s)) ++here[place->panel];
    }
    for (const StateId s : members) {
      const auto place = layout.place(s);
      if (place && here[place->panel] < sizes[place->panel]) labels[s].push_back(name);
    }
  }
  return labels;
}

MapSquare square_of(const DrawnPolicy& policy, const StateFigures& figures, const Reference& reference,
                    StateId s) {
  const FiniteModel& model = policy.task.model();
  const ObsId obs = model.observation(s);
  MapSquare square;
  square.exists = true;
  square.state = s;
  square.description = model.observations().describe(obs);
  square.visited = figures.visited[s];
  if (!figures.decided[s]) return square;
  square.value = figures.value(s);
  if (!figures.visits.empty()) square.visits = figures.visits[s];
  if (!policy.taken.table.defined(obs)) {
    square.undefined = row_text(policy.taken, model.vocabulary(), obs);
    return square;
  }
  const auto row = policy.taken.table.row(obs);
  square.probabilities.assign(row.begin(), row.end());
  square.differs = reference.differs(policy.taken.table, obs);
  return square;
}

/// The panels with a decision, as many as may be drawn; per panel of the layout its number among them.
std::vector<std::optional<std::size_t>> choose_panels(const FiniteModel& model, const Layout& layout,
                                                      const StateFigures& figures, PlaceMap& map) {
  const std::size_t squares = map.rows.size() * map.columns.size();
  std::vector<bool> decides(layout.panels.size(), false);
  for (StateId s = 0; s < model.state_count(); ++s) {
    const auto place = layout.place(s);
    if (place && figures.decided[s]) decides[place->panel] = true;
  }
  std::vector<std::optional<std::size_t>> numbers(layout.panels.size());
  for (std::size_t p = 0; p < numbers.size(); ++p) {
    if (!decides[p]) continue;
    if ((map.panels.size() + 1) * squares > kMostPlaces) {
      ++map.left_out;
      continue;
    }
    numbers[p] = map.panels.size();
    map.panels.push_back({layout.panels[p], std::vector<MapSquare>(squares)});
  }
  return numbers;
}

PlaceMap map_of(const DrawnPolicy& policy, const StateFigures& figures, const Reference& reference) {
  const FiniteModel& model = policy.task.model();
  const Layout& layout = *policy.task.layout;
  PlaceMap map;
  map.title = picture_title(policy.own.name, policy.task);
  map.remark = remark_of(policy, figures, reference);
  map.rows = layout.rows;
  map.columns = layout.columns;
  map.row_title = layout.row_title;
  map.column_title = layout.column_title;
  map.actions = drawn_actions(policy.task);
  map.probability_of = layout.probability_of;
  map.reference = reference.name();
  for (const LayoutWall& wall : layout.walls) map.walls.push_back({wall.row, wall.column, wall.below});
  const auto numbers = choose_panels(model, layout, figures, map);
  const auto labels = labels_on_map(model, layout, figures);
  for (StateId s = 0; s < model.state_count(); ++s) {
    const auto place = layout.place(s);
    if (!place || !numbers[place->panel]) continue;
    MapSquare& square =
        map.panels[*numbers[place->panel]].squares[place->row * map.columns.size() + place->column];
    square = square_of(policy, figures, reference, s);
    square.labels = labels[s];
  }
  return map;
}

/// Per observation: the mean value of its states, as often as the policy visits them; of states that it never
/// visits, each once.
std::vector<std::optional<double>> values_by_observation(const FiniteModel& model,
                                                         const StateFigures& figures) {
  const std::vector<double> weights =
      figures.visits.empty() ? std::vector<double>(model.state_count(), 0) : figures.visits;
  struct Sums {
    double weight = 0;
    double weighted = 0;
    double count = 0;
    double plain = 0;
    bool none = false;
  };
  std::vector<Sums> sums(model.observations().size());
  for (StateId s = 0; s < model.state_count(); ++s) {
    if (!figures.decided[s]) continue;
    Sums& own = sums[model.observation(s)];
    const auto value = figures.value(s);
    own.none = own.none || !value;
    own.count += 1;
    own.weight += weights[s];
    own.plain += value.value_or(0);
    own.weighted += weights[s] * value.value_or(0);
  }
  std::vector<std::optional<double>> values(sums.size());
  for (std::size_t obs = 0; obs < sums.size(); ++obs) {
    const Sums& own = sums[obs];
    if (own.none || own.count == 0) continue;
    values[obs] =
        own.weight > 0 && std::isfinite(own.weight) ? own.weighted / own.weight : own.plain / own.count;
  }
  return values;
}

/// The most visited first, and not too many.
void shorten(ObservationList& list) {
  std::stable_sort(
      list.rows.begin(), list.rows.end(),
      [](const ListedObservation& a, const ListedObservation& b) { return a.visits > b.visits; });
  if (list.rows.size() <= kMostListed) return;
  list.left_out = list.rows.size() - kMostListed;
  list.rows.resize(kMostListed);
}

ListedObservation listed(const PolicyTable& policy, const ObservationTable& table, ObsId obs) {
  ListedObservation row;
  row.observation = table.describe(obs);
  if (policy.defined(obs)) {
    row.probabilities.assign(policy.row(obs).begin(), policy.row(obs).end());
  } else {
    row.undefined = policy.defect(obs);
  }
  return row;
}

ObservationList list_of(const DrawnPolicy& policy, const StateFigures& figures, const Reference& reference) {
  const FiniteModel& model = policy.task.model();
  ObservationList list;
  list.title = picture_title(policy.own.name, policy.task);
  list.remark = remark_of(policy, figures, reference);
  list.actions = drawn_actions(policy.task);
  list.reference = reference.name();
  const auto values = values_by_observation(model, figures);
  for (const ObsId obs : reachable(model).observations) {
    list.rows.push_back(listed(policy.taken.table, model.observations(), obs));
    list.rows.back().value = values[obs];
    list.rows.back().differs = reference.differs(policy.taken.table, obs);
    if (figures.evaluation.has_return()) list.rows.back().visits = figures.evaluation.visits[obs];
  }
  shorten(list);
  return list;
}

}  // namespace

std::vector<DrawnAction> drawn_actions(const Task& task) {
  const std::vector<std::string>& names = task.vocabulary->actions();
  const std::vector<std::string> marks = task.layout ? task.layout->marks : default_marks(names);
  std::vector<DrawnAction> actions;
  for (std::size_t a = 0; a < names.size(); ++a) actions.push_back({names[a], marks[a]});
  return actions;
}

std::string picture_title(const std::string& policy, const Task& task) {
  return fmt::format("{} on {}", policy, task.spec);
}

std::variant<PlaceMap, ObservationList> view_policy(const DrawnPolicy& policy, bool values_needed) {
  const auto& layout = policy.task.layout;
  if (layout && layout->rows.size() * layout->columns.size() > kMostPlaces) {
    throw Error(policy.task.spec,
                fmt::format("its map has {} places", layout->rows.size() * layout->columns.size()),
                fmt::format("at most {} can be drawn", kMostPlaces));
  }
  const StateFigures figures(policy, values_needed);
  const Reference reference(policy);
  if (layout) return map_of(policy, figures, reference);
  return list_of(policy, figures, reference);
}

std::variant<PlaceMap, ObservationList> view_samples(const Task& task, const PolicySource& source,
                                                     const Selection& selection, std::uint64_t seed) {
  constexpr std::size_t kEpisodes = 20;
  constexpr std::size_t kMostSampled = 2000;
  const auto policy = source.policy(task);
  SamplingOptions options;
  options.episodes = kEpisodes;
  options.seed = seed;
  const ObservationSample sample =
      sample_observations(task.environments, *policy, selection, kMostSampled, options);
  const auto titled = [&](auto picture) {
    picture.title = picture_title(source.name(), task);
    picture.remark =
        fmt::format("actions picked by {}; {} {} sampled episodes", selection.to_string(),
                    has_plane(*task.vocabulary) ? "visits are those of" : "observations of", sample.episodes);
    if (sample.undefined)
      picture.remark +=
          fmt::format("; in {} the policy {}", sample.undefined->described, sample.undefined->defect);
    picture.actions = drawn_actions(task);
    return picture;
  };
  if (has_plane(*task.vocabulary)) return titled(plane_of(*policy, selection, sample));
  const PolicyTable taken = select(sample.rows_of(*policy), selection);
  auto list = titled(ObservationList{});
  for (ObsId obs = 0; obs < sample.table->size(); ++obs) {
    list.rows.push_back(listed(taken, *sample.table, obs));
    list.rows.back().visits = sample.visits[obs];
  }
  shorten(list);
  return list;
}

}  // namespace ndnf
