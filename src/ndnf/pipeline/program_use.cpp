#include "ndnf/pipeline/program_use.h"

#include <map>
#include <set>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/simulation/simulate.h"

namespace ndnf {
namespace {

/// The rules of a program, and for each statement the number of its rule.
struct CountedRules {
  std::vector<RuleUse> uses;
  std::map<std::size_t, std::size_t> use_of;

  explicit CountedRules(const Program& program) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_place;
    for (std::size_t s = 0; s < program.statements.size(); ++s) {
      const Rule* rule = std::get_if<Rule>(&program.statements[s].content);
      if (rule == nullptr || is_ours(rule->heads[0].atom)) continue;
      std::size_t index = uses.size();
      if (rule->place.line > 0)
        index = by_place.try_emplace({rule->place.line, rule->place.column}, index).first->second;
      if (index == uses.size()) uses.emplace_back().rule = rule_name(program, s);
      use_of[s] = index;
    }
  }
};

/// `visits` has the expected decisions of an episode per observation; empty if they are unknown.
std::vector<RuleUse> counted(const Program& program, const BoundProgram& bound, const ObservationTable& table,
                             std::span<const ObsId> scope, const std::vector<double>& visits) {
  CountedRules rules(program);
  for (const ObsId obs : scope) {
    std::set<std::size_t> fired;
    for (const std::size_t s : bound.fired(table, obs)) {
      if (const auto use = rules.use_of.find(s); use != rules.use_of.end()) fired.insert(use->second);
    }
    const double here = obs < visits.size() ? visits[obs] : 0;
    for (const std::size_t index : fired) {
      ++rules.uses[index].observations;
      rules.uses[index].visited += here > 0 ? 1 : 0;
      rules.uses[index].per_episode += here;
    }
  }
  return std::move(rules.uses);
}

void count_in_model(const PolicySource& source, const Task& task, const Program& program,
                    const BoundProgram& bound, ProgramUse& use) {
  const TaskPolicy taken = source.in(task).taken(std::nullopt);
  const Evaluation evaluation = evaluate_exactly(task.model(), taken.table);
  const std::vector<ObsId> scope = reachable(task.model()).observations;
  use.rules = counted(program, bound, task.model().observations(), scope,
                      evaluation.has_return() ? evaluation.visits : std::vector<double>{});
  use.observations = scope.size();
  use.visited = visited(task.model(), taken.table).observations.size();
}

void count_in_sample(const PolicySource& source, const Task& task, const Program& program,
                     const BoundProgram& bound, ProgramUse& use) {
  constexpr std::size_t kUseEpisodes = 200;
  constexpr std::size_t kMostUseObservations = 5000;
  SamplingOptions options;
  options.episodes = kUseEpisodes;
  const ObservationSample sample =
      sample_observations(task.environments, bound, source.selection(), kMostUseObservations, options);
  std::vector<ObsId> scope;
  for (ObsId obs = 0; obs < sample.table->size(); ++obs) scope.push_back(obs);
  use.rules = counted(program, bound, *sample.table, scope, sample.visits);
  use.observations = use.visited = scope.size();
  use.sampled_episodes = sample.episodes;
}

}  // namespace

ProgramUse use_of_program(const ProgramUseRequest& request) {
  const PolicySource source = PolicySource::rules(request.program);
  const Task task = task_for(request.env, {&source}, request.discount);
  const Program program = source.program(task, *task.vocabulary);
  const BoundProgram bound(program, task.vocabulary);
  ProgramUse use;
  use.program = source.name();
  use.env = task.spec;
  if (task.is_finite()) {
    count_in_model(source, task, program, bound, use);
  } else {
    count_in_sample(source, task, program, bound, use);
  }
  return use;
}

nlohmann::ordered_json to_json(const ProgramUse& use) {
  nlohmann::ordered_json json = {{"program", use.program},
                                 {"env", use.env},
                                 {"scope", use.sampled_episodes > 0 ? "sampled" : "reachable"},
                                 {"observations", use.observations},
                                 {"visited", use.visited},
                                 {"rules", nlohmann::ordered_json::array()}};
  for (const RuleUse& rule : use.rules) {
    json["rules"].push_back({{"line", rule.rule.line},
                             {"rule", rule.rule.text},
                             {"observations", rule.observations},
                             {"visited", rule.visited},
                             {"per_episode", rule.per_episode}});
  }
  return json;
}

}  // namespace ndnf
