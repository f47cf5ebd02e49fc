#include "ndnf/pipeline/explain_policy.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/inputs/policy_source.h"
#include "ndnf/inputs/shield_source.h"
#include "ndnf/mdp/reachability.h"
#include "ndnf/properties/property.h"
#include "ndnf/simulation/played_episode.h"
#include "ndnf/verify/check_numbers.h"
#include "ndnf/verify/number_reason.h"
#include "ndnf/verify/reason.h"
#include "ndnf/verify/rule_firings.h"

namespace ndnf {
namespace {

using Json = nlohmann::ordered_json;

/// Explains the decisions of one policy, each observation at most once.
class Explainer {
 public:
  Explainer(const Task& task, const TaskPolicy& policy)
      : model_(task.model()),
        table_(model_.observations()),
        policy_(policy),
        scope_(reachable(model_).observations),
        finder_(table_, policy.table, scope_) {}

  void matching(const std::string& description, PolicyExplanation& result) {
    const StateFormula formula = parse_observation(argument("obs"), description, model_.vocabulary());
    bool found = false;
    for (const ObsId obs : scope_) {
      if (!holds(formula, table_, obs)) continue;
      found = true;
      index(obs, result);
    }
    if (!found) throw Error(argument("obs"), fmt::format("no reachable observation matches {}", description));
  }

  void episode(std::uint64_t seed, PolicyExplanation& result) {
    const PlayedEpisode played = play_episode(model_, policy_.table, seed);
    result.ending = played.ending;
    result.last_state = played.last_state;
    for (const PlayedStep& step : played.steps) {
      result.episode.push_back({index(step.observation, result),
                                step.action ? model_.vocabulary().action_name(*step.action) : "", step.reward,
                                table_.describe(step.observation), step.state});
    }
  }

  bool stochastic() const {
    return std::any_of(scope_.begin(), scope_.end(), [&](ObsId obs) {
      const auto row = policy_.table.row(obs);
      return policy_.table.defined(obs) && std::find(row.begin(), row.end(), 1.0) == row.end();
    });
  }

 private:
  /// The index of the observation's explanation in the result; adds it if it is new.
  std::size_t index(ObsId obs, PolicyExplanation& result) {
    const auto [it, fresh] = index_.try_emplace(obs, result.explanations.size());
    if (fresh) result.explanations.push_back(explain(obs));
    return it->second;
  }

  Explanation explain(ObsId obs) const {
    const Vocabulary& vocabulary = model_.vocabulary();
    Explanation explanation;
    explanation.observation = table_.describe(obs);
    explanation.row = row_text(policy_, vocabulary, obs);
    if (policy_.bound) explanation.rules = fired_rules(*policy_.program, *policy_.bound, table_, obs);
    if (policy_.table.defined(obs)) {
      const auto row = policy_.table.row(obs);
      explanation.probabilities.assign(row.begin(), row.end());
      explanation.action = vocabulary.action_name(policy_.table.argmax(obs));
      if (const auto reason = finder_.reason(obs)) {
        explanation.reason = finder_.describe(obs, reason->groups);
        explanation.smallest = reason->smallest;
      }
    }
    for (const WhyNot& other : finder_.why_not(obs)) {
      Explanation::Alternative alternative{vocabulary.action_name(other.action), "", ""};
      if (other.nearest) {
        alternative.change = finder_.describe(*other.nearest, other.groups);
        alternative.observation = table_.describe(*other.nearest);
      }
      explanation.why_not.push_back(std::move(alternative));
    }
    return explanation;
  }

  const FiniteModel& model_;
  const ObservationTable& table_;
  const TaskPolicy& policy_;
  std::vector<ObsId> scope_;
  ReasonFinder finder_;
  std::map<ObsId, std::size_t> index_;
};

/// Explains the decisions of a program in a task without a finite model, over every observation within the
/// grids of its quantities. Each kind of observation that its rules tell apart is explained at most once.
class NumberExplainer {
 public:
  NumberExplainer(const Task& task, const Program& program, const BoundProgram& bound)
      : task_(task), program_(program), bound_(bound), reasons_(bound, task.vocabulary) {}

  /// One observation for each decision that the program makes where the description holds.
  void matching(const std::string& description, PolicyExplanation& result) {
    const StateFormula formula = parse_observation(argument("obs"), description, *task_.vocabulary);
    const std::vector<QuantisedObservation> found =
        observations_where(formula, {*task_.vocabulary, program_, bound_});
    if (found.empty()) throw Error(argument("obs"), fmt::format("no observation matches {}", description));
    for (const QuantisedObservation& at : found) result.explanations.push_back(explain(at));
  }

  void episode(const ExplainRequest& request, PolicyExplanation& result) {
    const PlayedEpisode played = play_episode(task_.environments, bound_, result.select, request.seed,
                                              task_.step_limit.value_or(kMostSteps));
    result.ending = played.ending;
    for (const PlayedStep& step : played.steps) {
      result.episode.push_back({index(*played.table, step.observation, result),
                                step.action ? task_.vocabulary->action_name(*step.action) : "", step.reward,
                                played.table->describe(step.observation), step.state});
    }
  }

 private:
  static constexpr std::size_t kMostSteps = 1000;

  std::size_t index(const ObservationTable& table, ObsId obs, PolicyExplanation& result) {
    const QuantisedObservation at = quantised(table, obs);
    const auto [it, fresh] = index_.try_emplace(reasons_.cells().find(at), result.explanations.size());
    if (fresh) result.explanations.push_back(explain(at));
    return it->second;
  }

  Explanation explain(const QuantisedObservation& at) const {
    const Vocabulary& vocabulary = *task_.vocabulary;
    const PolicyTable row(vocabulary.action_count(), bound_.row(at));
    Explanation explanation;
    explanation.observation = describe(at, vocabulary);
    explanation.row = row_text(row, vocabulary, 0);
    for (const std::size_t s : bound_.fired(at))
      explanation.rules.push_back(to_string(rule_name(program_, s)));
    if (row.defined(0)) {
      explanation.probabilities.assign(row.row(0).begin(), row.row(0).end());
      explanation.action = vocabulary.action_name(row.argmax(0));
      const NumberReasons::Reason reason = reasons_.reason(at);
      explanation.reason = reason.text.empty() ? "any observation" : reason.text;
      explanation.smallest = reason.smallest;
    }
    for (ActionId action = 0; action < vocabulary.action_count(); ++action) {
      if (row.defined(0) && action == row.argmax(0)) continue;
      const auto change = reasons_.why_not(at, action);
      explanation.why_not.push_back({vocabulary.action_name(action), change ? change->text : "",
                                     change ? describe(change->observation, vocabulary) : ""});
    }
    return explanation;
  }

  const Task& task_;
  const Program& program_;
  const BoundProgram& bound_;
  NumberReasons reasons_;
  std::map<std::size_t, std::size_t> index_;
};

PolicyExplanation explain_without_model(const ExplainRequest& request, const PolicySource& source,
                                        const Task& task) {
  if (!source.is_program() || request.shield) task.model();  // says that there is none
  const Program program = source.program(task, *task.vocabulary);
  const BoundProgram bound = source.fitting(task, [&] { return BoundProgram(program, task.vocabulary); });
  NumberExplainer explainer(task, program, bound);
  const bool stochastic = source.syntax() == Syntax::kProbLog;
  PolicyExplanation result{
      source.name(), task.spec, request.select.value_or(source.selection()), false, stochastic, {}, {}, "",
      task.discount};
  result.actions = task.vocabulary->actions();
  for (const std::string& description : request.observations) explainer.matching(description, result);
  if (request.observations.empty()) explainer.episode(request, result);
  return result;
}

Json to_json(const Explanation& explanation, const std::vector<std::string>& actions) {
  Json probabilities = explanation.probabilities.empty() ? Json(nullptr) : Json::object();
  for (std::size_t a = 0; a < explanation.probabilities.size(); ++a)
    probabilities[actions[a]] = explanation.probabilities[a];
  Json why_not = Json::array();
  for (const auto& [action, change, observation] : explanation.why_not) {
    const bool exists = !observation.empty();
    why_not.push_back({{"action", action},
                       {"change", exists ? Json(change) : Json(nullptr)},
                       {"observation", exists ? Json(observation) : Json(nullptr)}});
  }
  return {{"observation", explanation.observation},
          {"row", explanation.row},
          {"probabilities", std::move(probabilities)},
          {"action", explanation.action ? Json(*explanation.action) : Json(nullptr)},
          {"rules", explanation.rules},
          {"reason", explanation.reason ? Json(*explanation.reason) : Json(nullptr)},
          {"smallest", explanation.smallest},
          {"why_not", std::move(why_not)}};
}

}  // namespace

PolicyExplanation explain_policy(const ExplainRequest& request) {
  const PolicySource source(request.policy);
  const Task task = task_for(request.env, {&source}, request.discount);
  if (!task.is_finite()) return explain_without_model(request, source, task);
  const TaskPolicy policy =
      source.in(task, read_shield_option(request.shield, task.model().observations())).taken(request.select);
  Explainer explainer(task, policy);
  PolicyExplanation result{policy.name, task.spec, policy.select, policy.shielded, explainer.stochastic(), {},
                           {},          "",        task.discount};
  result.actions = task.vocabulary->actions();
  for (const std::string& description : request.observations) explainer.matching(description, result);
  if (request.observations.empty()) explainer.episode(request.seed, result);
  return result;
}

nlohmann::ordered_json to_json(const PolicyExplanation& result) {
  Json explanations = Json::array();
  for (const Explanation& explanation : result.explanations)
    explanations.push_back(to_json(explanation, result.actions));
  Json json = {{"policy", result.policy},
               {"env", result.env},
               {"select", result.select.to_string()},
               {"shielded", result.shielded},
               {"stochastic", result.stochastic},
               {"discount", result.discount},
               {"explanations", std::move(explanations)}};
  if (result.episode.empty()) return json;
  json["ending"] = result.ending;
  json["episode"] = Json::array();
  for (const EpisodeStep& step : result.episode) {
    json["episode"].push_back({{"observation", step.observation},
                               {"action", step.action.empty() ? Json(nullptr) : Json(step.action)},
                               {"reward", step.reward},
                               {"explanation", step.explanation},
                               {"state", step.state}});
  }
  json["last_state"] = result.last_state ? Json(*result.last_state) : Json(nullptr);
  return json;
}

}  // namespace ndnf
