#include "ndnf/properties/trace.h"

#include <algorithm>

#include <fmt/format.h>

#include "ndnf/mdp/components.h"
#include "ndnf/mdp/reachability.h"

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

namespace {

/// Per state: whether it lies in a strongly connected component of lost states that is never left.
std::vector<bool> closed_states(const InducedChain& chain) {
  const std::vector<bool> lost = lost_states(chain);
  std::vector<std::vector<std::uint32_t>> next(lost.size());
  for (StateId s = 0; s < lost.size(); ++s) {
    if (lost[s]) chain.for_each_step(s, [&](double, const Outcome& o) { next[s].push_back(o.next); });
  }
  std::vector<std::size_t> component(lost.size(), 0);
  std::vector<bool> closed(lost.size(), false);
  const auto components = strong_components(next);
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (const StateId s : components[c]) component[s] = c;
  }
  for (const auto& members : components) {
    const bool stays = std::all_of(members.begin(), members.end(), [&](StateId s) {
      return std::all_of(next[s].begin(), next[s].end(),
                         [&](StateId to) { return component[to] == component[s]; });
    });
    for (const StateId s : members) closed[s] = stays && lost[s];
  }
  return closed;
}

/// A shortest cycle through a state of such a component: breadth first, until a step leads back.
std::vector<TraceStep> cycle_through(const InducedChain& chain, StateId origin) {
  const FiniteModel& model = chain.model();
  std::vector<bool> seen(model.state_count(), false);
  std::vector<Entry> entries{{origin}};
  for (std::size_t i = 0;; ++i) {
    const StateId state = entries[i].state;
    std::optional<std::size_t> back;
    chain.for_each_action(state, [&](ActionId a, double) {
      for (const Outcome& outcome : model.outcomes(state, a)) {
        if (back || seen[outcome.next]) continue;
        seen[outcome.next] = true;
        entries.push_back({outcome.next, i, a, outcome.reward});
        if (outcome.next == origin) back = entries.size() - 1;
      }
    });
    if (back) return walk_back(entries, *back).steps;
  }
}

}  // namespace

std::optional<Trace> loop_trace(const FiniteModel& model, const PolicyTable& policy) {
  const InducedChain chain(model, policy);
  const std::vector<bool> closed = closed_states(chain);
  auto trace = shortest_trace(model, &policy, [&](StateId s) { return closed[s]; });
  if (!trace) return std::nullopt;
  const std::size_t begin = trace->steps.size() - 1;
  const std::vector<TraceStep> cycle = cycle_through(chain, trace->steps.back().state);
  trace->steps.pop_back();
  trace->steps.insert(trace->steps.end(), cycle.begin(), cycle.end());
  trace->note =
      fmt::format("it is back where it was at step {}, and no end can be reached from there", begin);
  return trace;
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
