#include "ndnf/env/model_file.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/nearest.h"
#include "ndnf/env/json_file.h"
#include "ndnf/env/layout_file.h"
#include "ndnf/env/model_file_drawing.h"

namespace ndnf {
namespace {

constexpr const char* kFormat = "ndnf-model";

// Reading.

std::shared_ptr<const Vocabulary> read_vocabulary(const JsonNode& root) {
  static const std::vector<std::string> kGroupKeys = {"name", "one_hot", "atoms", "not_in_definitions"};
  std::vector<AtomGroup> groups;
  for (const JsonNode& node : root.at("groups").elements()) {
    node.check_keys(kGroupKeys);
    const auto one_hot = node.find("one_hot");
    const auto barred = node.find("not_in_definitions");
    groups.push_back({node.at("name").text(), one_hot ? one_hot->flag() : true, node.at("atoms").texts(),
                      barred ? barred->texts() : std::vector<std::string>()});
  }
  auto actions = root.at("actions").texts();
  return root.located([&] { return std::make_shared<Vocabulary>(std::move(groups), std::move(actions)); });
}

std::vector<float> read_dense_row(const JsonNode& node, std::size_t size) {
  std::vector<float> row;
  for (const JsonNode& element : node.elements()) {
    const double number = element.number();
    if (number > std::numeric_limits<float>::max() || number < std::numeric_limits<float>::lowest()) {
      element.fail(fmt::format("{} does not fit into a 32-bit number", number));
    }
    row.push_back(static_cast<float>(number));
  }
  if (row.size() != size) {
    node.fail(fmt::format("has {} numbers", row.size()), fmt::format("the first row has {}", size));
  }
  return row;
}

std::shared_ptr<const ObservationTable> read_observations(const JsonNode& root,
                                                          std::shared_ptr<const Vocabulary> vocabulary) {
  const auto observations = root.at("observations").elements();
  const auto dense = root.find("dense");
  const auto dense_rows = dense ? dense->elements() : std::vector<JsonNode>();
  if (dense && dense_rows.size() != observations.size()) {
    dense->fail(fmt::format("has {} rows", dense_rows.size()),
                fmt::format("there are {} observations", observations.size()));
  }
  const std::size_t dense_size = dense_rows.empty() ? 0 : dense_rows[0].elements().size();
  auto table = std::make_shared<ObservationTable>(std::move(vocabulary), dense_size);
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const auto values = read_observation(observations[i], table->vocabulary());
    const auto row = dense ? read_dense_row(dense_rows[i], dense_size) : std::vector<float>();
    const ObsId id = table->intern(values, row);
    if (id != i) observations[i].fail(fmt::format("repeats observation {}", id));
  }
  return table;
}

/// Labels and tags become names in the input files of model checkers.
void require_word(const JsonNode& node, const std::string& name) {
  const auto letter = [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  };
  if (name.empty() || std::islower(static_cast<unsigned char>(name[0])) == 0 ||
      !std::all_of(name.begin(), name.end(), letter)) {
    node.fail(fmt::format("the name {} is not allowed", json_text(name)),
              "a name consists of lower-case letters, digits and _, and starts with a letter");
  }
}

/// Tags appear beside these figures wherever a policy is evaluated.
constexpr std::string_view kFigures[] = {
    "bound",    "discount",      "env",           "episodes", "exact",     "gap",    "gap_bound", "length",
    "optimum",  "optimum_bound", "optimum_proof", "policy",   "proof",     "return", "seconds",   "select",
    "shielded", "stderr",        "terminated",    "timeouts", "undefined", "with"};

std::vector<std::string> read_tags(const JsonNode& root) {
  constexpr std::size_t kMaxTags = std::numeric_limits<decltype(Outcome::tag)>::max();
  std::vector<std::string> tags;
  const auto list = root.find("tags");
  if (!list) return tags;
  for (const JsonNode& node : list->elements()) {
    require_word(node, node.text());
    if (is_figure(node.text())) {
      node.fail(fmt::format("the tag {} has the name of an `ndnf eval` figure", node.text()),
                fmt::format("the names {} are taken", fmt::join(kFigures, ", ")));
    }
    if (std::find(tags.begin(), tags.end(), node.text()) != tags.end()) {
      node.fail(fmt::format("the tag {} is listed twice", node.text()));
    }
    tags.push_back(node.text());
  }
  if (tags.size() > kMaxTags) {
    list->fail(fmt::format("has {} tags", tags.size()), fmt::format("at most {} are allowed", kMaxTags));
  }
  return tags;
}

std::int8_t read_tag(const JsonNode& node, const std::vector<std::string>& tags) {
  const auto found = std::find(tags.begin(), tags.end(), node.text());
  if (found == tags.end()) {
    node.fail(fmt::format("there is no tag {}", node.text()),
              tags.empty() ? "list it in \"tags\"" : suggestion(node.text(), tags));
  }
  return static_cast<std::int8_t>(found - tags.begin());
}

Outcome read_outcome(const JsonNode& node, std::size_t states, const std::vector<std::string>& tags) {
  static const std::vector<std::string> kKeys = {"next", "p", "reward", "terminal", "tag"};
  node.check_keys(kKeys);
  Outcome outcome;
  outcome.next = node.at("next").index_of("state", states);
  if (const auto p = node.find("p")) outcome.probability = p->number();
  if (const auto reward = node.find("reward")) outcome.reward = reward->number();
  if (const auto terminal = node.find("terminal")) outcome.terminal = terminal->flag();
  if (const auto tag = node.find("tag")) outcome.tag = read_tag(*tag, tags);
  return outcome;
}

void read_state(const JsonNode& node, std::size_t states, FiniteModelData& data) {
  static const std::vector<std::string> kKeys = {"observation", "outcomes"};
  node.check_keys(kKeys);
  const ObsId obs = node.at("observation").index_of("observation", data.observations->size());
  const auto outcomes = node.find("outcomes");
  const auto& actions = data.observations->vocabulary().actions();
  if (outcomes) outcomes->check_keys(actions);
  std::vector<std::vector<Outcome>> rows(actions.size());
  for (std::size_t a = 0; outcomes && a < actions.size(); ++a) {
    const auto list = outcomes->find(actions[a]);
    if (!list) continue;
    for (const JsonNode& outcome : list->elements())
      rows[a].push_back(read_outcome(outcome, states, data.tags));
    if (rows[a].empty()) list->fail("is empty", "leave out an action that the state does not offer");
  }
  const auto is_empty = [](const auto& row) { return row.empty(); };
  if (outcomes && std::all_of(rows.begin(), rows.end(), is_empty))
    outcomes->fail("has no actions", "an end state has no \"outcomes\" at all");
  node.located([&] { data.add_state(obs, rows); });
}

Start read_start(const JsonNode& node, std::size_t states) {
  static const std::vector<std::string> kKeys = {"state", "p"};
  node.check_keys(kKeys);
  const auto p = node.find("p");
  return {p ? p->number() : 1, node.at("state").index_of("state", states)};
}

std::map<std::string, std::vector<StateId>> read_labels(const JsonNode& root, std::size_t states,
                                                        const std::vector<std::string>& tags) {
  std::map<std::string, std::vector<StateId>> labels;
  const auto object = root.find("labels");
  if (!object) return labels;
  for (const auto& [name, members] : object->members()) {
    require_word(*object, name);
    if (std::find(tags.begin(), tags.end(), name) != tags.end()) {
      object->fail(fmt::format("{} is also a tag", name), "properties refer to both by name alone");
    }
    std::vector<StateId>& label = labels[name];
    for (const JsonNode& state : members.elements()) label.push_back(state.index_of("state", states));
  }
  return labels;
}

FiniteModel read_model(const JsonNode& root) {
  static const std::vector<std::string> kKeys = {
      "format", "version", "name",       "actions", "groups", "observations", "dense",
      "states", "starts",  "step_limit", "tags",    "labels", "discount",     "layout"};
  root.check_keys(kKeys);
  FiniteModelData data;
  data.observations = read_observations(root, read_vocabulary(root));
  data.tags = read_tags(root);
  const auto states = root.at("states").elements();
  for (const JsonNode& state : states) read_state(state, states.size(), data);
  for (const JsonNode& start : root.at("starts").elements()) {
    data.starts.push_back(read_start(start, states.size()));
  }
  if (const auto limit = root.find("step_limit")) data.step_limit = limit->whole_number();
  if (const auto discount = root.find("discount")) data.discount = discount->number();
  data.labels = read_labels(root, states.size(), data.tags);
  return root.located([&] { return FiniteModel(std::move(data)); });
}

// Writing. Members that have their default value are omitted.

std::string outcome_text(const Outcome& outcome, const std::vector<std::string>& tags) {
  std::string text = fmt::format("{{\"next\": {}", outcome.next);
  if (outcome.probability != 1) text += ", \"p\": " + json_text(outcome.probability);
  const std::string reward = json_text(outcome.reward);
  if (reward != "0") text += ", \"reward\": " + reward;
  if (outcome.terminal) text += ", \"terminal\": true";
  if (outcome.tag >= 0) text += ", \"tag\": " + json_text(tags[static_cast<std::size_t>(outcome.tag)]);
  return text + "}";
}

std::string state_text(const FiniteModel& model, StateId state) {
  std::string text = fmt::format("{{\"observation\": {}", model.observation(state));
  if (model.is_end(state)) return text + "}";
  std::vector<std::string> rows;
  for (ActionId a = 0; a < model.action_count(); ++a) {
    if (model.offered() && !model.offered()->allows(model.observation(state), a)) continue;
    std::vector<std::string> outcomes;
    for (const Outcome& outcome : model.outcomes(state, a)) {
      outcomes.push_back(outcome_text(outcome, model.tags()));
    }
    rows.push_back(fmt::format("\n      {}: [{}]", json_text(model.vocabulary().action_name(a)),
                               fmt::join(outcomes, ", ")));
  }
  return fmt::format("{}, \"outcomes\": {{{}}}}}", text, fmt::join(rows, ","));
}

std::string group_text(const AtomGroup& group) {
  const std::vector<std::string>& barred = group.not_in_definitions;
  return fmt::format("{{\"name\": {}{}, \"atoms\": {}{}}}", json_text(group.name),
                     group.one_hot ? "" : ", \"one_hot\": false", json_text(group.atoms),
                     barred.empty() ? "" : ", \"not_in_definitions\": " + json_text(barred));
}

std::string dense_text(const ObservationTable& table, ObsId obs) {
  std::vector<std::string> numbers;
  for (const float number : table.dense(obs)) numbers.push_back(json_text(static_cast<double>(number)));
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string start_text(const Start& start) {
  const std::string p = start.probability == 1 ? "" : ", \"p\": " + json_text(start.probability);
  return fmt::format("{{\"state\": {}{}}}", start.state, p);
}

/// `text_of(0)` … `text_of(count − 1)`, one per line, between brackets.
template <class TextOf>
std::string lines_text(const char* brackets, std::size_t count, TextOf text_of) {
  std::string text(1, brackets[0]);
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "\n    " : ",\n    ") + text_of(i);
  return text + "\n  " + brackets[1];
}

}  // namespace

bool is_figure(std::string_view name) {
  return std::find(std::begin(kFigures), std::end(kFigures), name) != std::end(kFigures);
}

Task model_task(FiniteModel model, const std::string& name, std::string source) {
  Task task = finite_task(std::move(model));
  task.source = std::move(source);
  task.draw_text = [shared = task.finite](StateId state) { return card_text(*shared, state); };
  task.draw_svg = [shared = task.finite, name](StateId state) { return card_svg(*shared, name, state); };
  return task;
}

Task read_model_file(const Input& input) {
  const JsonDocument document(input, kFormat);
  const JsonNode root = document.root();
  const std::string name = root.at("name").text();
  Task task = model_task(read_model(root), name, document.text());
  task.spec = input.name;
  if (const auto layout = root.find("layout")) draw_as_map(task, read_layout(*layout, task.model()), name);
  return task;
}

std::string to_model_file(const FiniteModel& model, const std::string& name, const Layout* layout) {
  const Vocabulary& vocabulary = model.vocabulary();
  const ObservationTable& table = model.observations();
  const auto as_id = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  std::string text = fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": 1", kFormat);
  const auto add = [&text](const char* key, const std::string& value) {
    text += fmt::format(",\n  \"{}\": {}", key, value);
  };
  add("name", json_text(name));
  add("actions", json_text(vocabulary.actions()));
  add("groups", lines_text("[]", vocabulary.group_count(),
                           [&](std::size_t g) { return group_text(vocabulary.group(g)); }));
  add("observations",
      lines_text("[]", table.size(), [&](std::size_t i) { return observation_text(table, as_id(i)); }));
  if (table.dense_size() > 0) {
    add("dense", lines_text("[]", table.size(), [&](std::size_t i) { return dense_text(table, as_id(i)); }));
  }
  add("states",
      lines_text("[]", model.state_count(), [&](std::size_t s) { return state_text(model, as_id(s)); }));
  add("starts",
      lines_text("[]", model.starts().size(), [&](std::size_t i) { return start_text(model.starts()[i]); }));
  if (model.step_limit()) add("step_limit", std::to_string(*model.step_limit()));
  if (model.discount() != 1) add("discount", json_text(model.discount()));
  if (!model.tags().empty()) add("tags", json_text(model.tags()));
  if (!model.labels().empty()) {
    const std::vector<std::pair<std::string, std::vector<StateId>>> labels(model.labels().begin(),
                                                                           model.labels().end());
    add("labels", lines_text("{}", labels.size(), [&](std::size_t i) {
          return fmt::format("{}: [{}]", json_text(labels[i].first), fmt::join(labels[i].second, ", "));
        }));
  }
  if (layout != nullptr) add("layout", layout_text(*layout, model));
  return text + "\n}\n";
}

std::string to_model_file(const Task& task) {
  return to_model_file(task.model(), task.spec, task.layout.get());
}

}  // namespace ndnf
