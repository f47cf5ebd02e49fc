#include "ndnf/inputs/policy_file.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"

namespace ndnf {
namespace {

constexpr const char* kFormat = "ndnf-policy";

/// Reads one policy file against an environment.
class PolicyReader {
 public:
  PolicyReader(const JsonNode& root, const Task& task)
      : root_(root), task_(task), table_(task.model().observations()) {
    for (ObsId obs = 0; obs < table_.size(); ++obs) {
      const auto values = table_.values(obs);
      if (!by_values_.try_emplace({values.begin(), values.end()}, obs).second) {
        throw Error(task.spec, fmt::format("two observations show {}", table_.describe(obs)),
                    "a policy file tells observations apart by their atoms");
      }
    }
  }

  PolicyTable read() const {
    const std::vector<ActionId> order = read_actions();
    std::vector<double> fallback(order.size(), 0.0);
    if (const auto node = root_.find("default")) fallback = read_probabilities(*node, order);
    std::vector<double> rows;
    rows.reserve(table_.size() * order.size());
    for (ObsId obs = 0; obs < table_.size(); ++obs) rows.insert(rows.end(), fallback.begin(), fallback.end());
    read_rows(order, rows);
    return {order.size(), std::move(rows)};
  }

 private:
  /// The action that each column of the file stands for.
  std::vector<ActionId> read_actions() const {
    const Vocabulary& vocabulary = table_.vocabulary();
    const auto list = root_.find("actions");
    std::vector<ActionId> order;
    if (!list) {
      for (ActionId a = 0; a < vocabulary.action_count(); ++a) order.push_back(a);
      return order;
    }
    for (const JsonNode& node : list->elements()) {
      const auto action = vocabulary.find_action(node.text());
      if (!action) {
        node.fail(fmt::format("there is no action {}", node.text()),
                  suggestion(node.text(), vocabulary.actions()));
      }
      if (std::find(order.begin(), order.end(), *action) != order.end()) {
        node.fail(fmt::format("{} is listed twice", node.text()));
      }
      order.push_back(*action);
    }
    if (order.size() != vocabulary.action_count()) {
      list->fail(fmt::format("{} of the {} actions are listed", order.size(), vocabulary.action_count()),
                 fmt::format("all are needed, in any order: {}", fmt::join(vocabulary.actions(), ", ")));
    }
    return order;
  }

  void read_rows(const std::vector<ActionId>& order, std::vector<double>& rows) const {
    static const std::vector<std::string> kKeys = {"observation", "probabilities"};
    std::vector<bool> given(table_.size(), false);
    for (const JsonNode& node : root_.at("rows").elements()) {
      node.check_keys(kKeys);
      const JsonNode atoms = node.at("observation");
      const ObsId obs = find_observation(atoms);
      if (given[obs]) atoms.fail("has a row already");
      given[obs] = true;
      const auto row = read_probabilities(node.at("probabilities"), order);
      std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(obs * order.size()));
    }
  }

  ObsId find_observation(const JsonNode& atoms) const {
    const auto found = by_values_.find(read_observation(atoms, table_.vocabulary()));
    if (found == by_values_.end()) {
      atoms.fail(fmt::format("{} never shows exactly these atoms", task_.spec));
    }
    return found->second;
  }

  static std::vector<double> read_probabilities(const JsonNode& node, const std::vector<ActionId>& order) {
    const std::vector<double> columns = node.numbers();
    if (columns.size() != order.size()) {
      node.fail(fmt::format("has {} numbers", columns.size()),
                fmt::format("there are {} actions", order.size()));
    }
    std::vector<double> row(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) row[order[i]] = columns[i];
    const PolicyTable table = node.located([&] { return PolicyTable(order.size(), row); });
    if (!table.defined(0)) node.fail(table.defect(0), "a row must sum to 1");
    return row;
  }

  JsonNode root_;
  const Task& task_;
  const ObservationTable& table_;
  std::map<std::vector<std::uint32_t>, ObsId> by_values_;
};

}  // namespace

PolicyFile::PolicyFile(const Input& input) : document_(std::make_shared<const JsonDocument>(input, kFormat)) {
  const JsonNode root = document_->root();
  root.check_keys({"format", "version", "env", "actions", "default", "rows"});
  if (const auto env = root.find("env")) env_ = env->text();
}

PolicyTable PolicyFile::rows(const Task& task) const { return PolicyReader(document_->root(), task).read(); }

std::string to_policy_file(const PolicyTable& policy, const Task& task) {
  const FiniteModel& model = task.model();
  std::string rows;
  for (const ObsId obs : model.decision_observations()) {
    if (!policy.defined(obs)) continue;  // a row left out reads back as undefined
    std::vector<std::string> numbers;
    for (const double p : policy.row(obs)) numbers.push_back(json_text(p));
    rows += fmt::format("{}\n    {{\"observation\": {}, \"probabilities\": [{}]}}", rows.empty() ? "" : ",",
                        observation_text(model.observations(), obs), fmt::join(numbers, ", "));
  }
  return fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"version\": 1,\n  \"env\": {},\n  \"actions\": {},\n  \"rows\": [{}\n  "
      "]\n}}\n",
      kFormat, json_text(task.spec), json_text(model.vocabulary().actions()), rows);
}

}  // namespace ndnf
