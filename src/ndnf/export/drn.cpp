#include "ndnf/export/drn.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/export/drn_heading.h"
#include "ndnf/mdp/merged_chain.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

/// Numbers the chain's states for the file: an optional start state, the visited states, the states entered
/// only with the last step (which are not decision states), and one absorbing state per ending.
class DrnWriter {
 public:
  DrnWriter(const FiniteModel& model, const PolicyTable& policy)
      : model_(model), chain_({model, policy}), truncated_(truncated_states(model, policy)) {
    for (const auto& [name, members] : model.labels()) {
      for (const StateId s : members) labels_[s].insert(name);
    }
    std::size_t next = draws_start(model) ? 1 : 0;
    const Reach reach = visited(model, policy);
    for (const StateId s : reach.states) number_[s] = next++;
    for (const StateId s : truncated_) {
      if (number_.count(s) == 0) stops_[s] = next++;
    }
    for (const StateId s : reach.states) {
      for (const auto& ending : chain_.endings(s)) ends_.try_emplace({ending.next, ending.tag}, 0);
    }
    for (auto& [key, number] : ends_) number = next++;
    count_ = next;
  }

  std::string write() {
    out_ = drn_heading(model_, !truncated_.empty(), "DTMC", count_, count_);
    if (draws_start(model_)) write_start();
    for (const auto& [state, number] : number_) write_state(state, number);
    for (const auto& [state, number] : stops_) write_row(number, 0, labels_of(state), {{number, 1.0}});
    for (const auto& [key, number] : ends_) write_end(key.first, key.second, number);
    return std::move(out_);
  }

 private:
  using Targets = std::vector<std::pair<std::size_t, double>>;

  void write_start() {
    Targets targets;
    for (const Start& start : model_.starts())
      targets.emplace_back(number_.at(start.state), start.probability);
    write_row(0, 0, {"init"}, std::move(targets));
  }

  void write_state(StateId state, std::size_t number) {
    std::set<std::string> labels = labels_of(state);
    if (!draws_start(model_) && model_.starts()[0].state == state) labels.insert("init");
    Targets targets;
    for (const auto& move : chain_.moves(state)) {
      const auto found = number_.find(move.next);
      targets.emplace_back(found == number_.end() ? stops_.at(move.next) : found->second, move.probability);
    }
    for (const auto& ending : chain_.endings(state)) {
      targets.emplace_back(ends_.at({ending.next, ending.tag}), ending.probability);
    }
    write_row(number, chain_.reward(state), labels, std::move(targets));
  }

  void write_end(StateId state, std::int8_t tag, std::size_t number) {
    std::set<std::string> labels = labels_of(state);
    labels.insert("end");
    if (tag >= 0) labels.insert(model_.tags()[static_cast<std::size_t>(tag)]);
    write_row(number, 0, labels, {{number, 1.0}});
  }

  void write_row(std::size_t number, double reward, const std::set<std::string>& labels, Targets targets) {
    std::sort(targets.begin(), targets.end());
    out_ += fmt::format("state {} [{}]", number, reward);
    for (const std::string& label : labels) out_ += " " + label;
    out_ += "\n\taction 0 [0]\n";
    for (std::size_t i = 0; i < targets.size();) {
      double probability = 0;
      const std::size_t target = targets[i].first;
      for (; i < targets.size() && targets[i].first == target; ++i) probability += targets[i].second;
      out_ += fmt::format("\t\t{} : {}\n", target, probability);
    }
  }

  std::set<std::string> labels_of(StateId state) const {
    const auto found = labels_.find(state);
    return found == labels_.end() ? std::set<std::string>{} : found->second;
  }

  const FiniteModel& model_;
  MergedChain chain_;
  std::vector<StateId> truncated_;
  std::map<StateId, std::set<std::string>> labels_;
  std::map<StateId, std::size_t> number_;
  std::map<StateId, std::size_t> stops_;
  std::map<std::pair<StateId, std::int8_t>, std::size_t> ends_;
  std::size_t count_ = 0;
  std::string out_;
};

}  // namespace

std::string to_drn(const FiniteModel& model, const PolicyTable& policy) {
  return DrnWriter(model, policy).write();
}

}  // namespace ndnf
