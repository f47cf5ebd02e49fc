#include "ndnf/pipeline/program_use.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "ndnf/inputs/policy_source.h"
#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/mdp/reserved_names.h"
#include "ndnf/simulation/simulate.h"

namespace ndnf {
namespace {

/// The rule that begins at this line and column of a text, as it is written but without comments, on one
/// line; empty if it has no end.
std::string rule_written_at(std::string_view text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (; line > 1 && at < text.size(); --line) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  std::string rule;
  bool quoted = false;
  for (at += column - 1; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (c == '%' && !quoted) at = std::min(text.find('\n', at), text.size() - 1);
    const bool space = std::isspace(static_cast<unsigned char>(text[at])) != 0;
    if (!space) rule += text[at];
    if (space && !rule.empty() && rule.back() != ' ') rule += ' ';
    const bool last = at + 1 == text.size() || text[at + 1] == '%' ||
                      std::isspace(static_cast<unsigned char>(text[at + 1])) != 0;
    if (c == '.' && !quoted && last) return rule;
  }
  return "";
}

/// The rules of a program, and for each statement the number of its rule.
struct CountedRules {
  std::vector<RuleUse> uses;
  std::map<std::size_t, std::size_t> use_of;

  /// A rule with variables or ranges has many instances: `text`, the file, shows it as it is written.
  CountedRules(const Program& program, std::string_view text) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_place;
    for (std::size_t s = 0; s < program.statements.size(); ++s) {
      const Rule* rule = std::get_if<Rule>(&program.statements[s].content);
      if (rule == nullptr || is_ours(rule->heads[0].atom)) continue;
      std::size_t index = uses.size();
      if (rule->place.line > 0)
        index = by_place.try_emplace({rule->place.line, rule->place.column}, index).first->second;
      if (index == uses.size()) {
        RuleName& name = uses.emplace_back().rule = rule_name(program, s);
        const bool asp = program.syntax == Syntax::kAsp && rule->place.line > 0;
        const std::string written =
            asp ? rule_written_at(text, rule->place.line, std::max<std::size_t>(1, rule->place.column)) : "";
        if (!written.empty()) name.text = written;
      }
      use_of[s] = index;
    }
  }
};

/// `visits` has the expected decisions of an episode per observation; empty if they are unknown.
std::vector<RuleUse> counted(CountedRules rules, const BoundProgram& bound, const ObservationTable& table,
                             std::span<const ObsId> scope, const std::vector<double>& visits) {
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
  use.rules = counted({program, source.bytes()}, bound, task.model().observations(), scope,
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
  use.rules = counted({program, source.bytes()}, bound, *sample.table, scope, sample.visits);
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
