#include "ndnf/properties/trace.h"

#include <algorithm>

#include <fmt/format.h>

namespace ndnf {
namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// How the search reached a state: from an earlier entry by an action, or as a start.
struct Entry {
  StateId state;
  std::size_t parent = kNobody;
  ActionId action = 0;
  double reward = 0;
};

Trace walk_back(const std::vector<Entry>& entries, std::size_t last) {
  Trace trace;
  trace.steps.push_back({entries[last].state});
  for (std::size_t i = last; entries[i].parent != kNobody; i = entries[i].parent) {
    trace.steps.push_back({entries[entries[i].parent].state, entries[i].action, entries[i].reward});
  }
  std::reverse(trace.steps.begin(), trace.steps.end());
  return trace;
}

}  // namespace

std::optional<Trace> shortest_trace(const FiniteModel& model, const PolicyTable* policy,
                                    const std::function<bool(StateId)>& target) {
  std::vector<bool> seen(model.state_count(), false);
  std::vector<Entry> entries;
  const auto enter = [&](const Entry& entry) {
    if (!seen[entry.state]) entries.push_back(entry);
    seen[entry.state] = true;
  };
  const auto takes = [&](ObsId obs, ActionId a) {
    return policy == nullptr || (policy->defined(obs) && policy->row(obs)[a] > 0);
  };
  for (const Start& start : model.starts()) enter({start.state});
  std::size_t next = 0;
  for (std::size_t depth = 0; depth < model.horizon() && next < entries.size(); ++depth) {
    for (const std::size_t layer_end = entries.size(); next < layer_end; ++next) {
      const StateId state = entries[next].state;
      if (target(state)) return walk_back(entries, next);
      for (ActionId a = 0; a < model.action_count(); ++a) {
        if (!takes(model.observation(state), a)) continue;
        for (const Outcome& outcome : model.outcomes(state, a)) {
          if (!outcome.terminal) enter({outcome.next, next, a, outcome.reward});
        }
      }
    }
  }
  return std::nullopt;
}

std::string to_text(const Trace& trace, const FiniteModel& model) {
  std::string text;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    text += fmt::format("{:4}  {}", i, model.observations().describe(model.observation(step.state)));
    if (step.action) text += fmt::format("  -> {}", model.vocabulary().action_name(*step.action));
    if (step.reward) text += fmt::format(", reward {:g}", *step.reward);
    if (step.end) text += "  (the episode is over";
    if (step.tag >= 0) text += fmt::format(": {}", model.tags()[static_cast<std::size_t>(step.tag)]);
    if (step.end) text += ")";
    text += step.truncated ? "  (the step limit is reached)\n" : "\n";
  }
  return trace.note.empty() ? text : text + fmt::format("      {}\n", trace.note);
}

}  // namespace ndnf
