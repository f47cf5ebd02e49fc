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
    const StateFormula formula = parse_observation(argument("obs"), description, model_);
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
    for (const PlayedStep& step : played.steps) {
      result.episode.push_back({index(step.observation, result),
                                step.action ? model_.vocabulary().action_name(*step.action) : "",
                                step.reward});
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

Json to_json(const Explanation& explanation) {
  Json why_not = Json::array();
  for (const auto& [action, change, observation] : explanation.why_not) {
    const bool exists = !observation.empty();
    why_not.push_back({{"action", action},
                       {"change", exists ? Json(change) : Json(nullptr)},
                       {"observation", exists ? Json(observation) : Json(nullptr)}});
  }
  return {{"observation", explanation.observation},
          {"row", explanation.row},
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
  const TaskPolicy policy =
      source.in(task, read_shield_option(request.shield, task.model().observations())).taken(request.select);
  Explainer explainer(task, policy);
  PolicyExplanation result{policy.name, task.spec, policy.select, policy.shielded, explainer.stochastic(), {},
                           {},          "",        task.discount};
  for (const std::string& description : request.observations) explainer.matching(description, result);
  if (request.observations.empty()) explainer.episode(request.seed, result);
  return result;
}

nlohmann::ordered_json to_json(const PolicyExplanation& result) {
  Json explanations = Json::array();
  for (const Explanation& explanation : result.explanations) explanations.push_back(to_json(explanation));
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
    json["episode"].push_back({{"observation", result.explanations[step.explanation].observation},
                               {"action", step.action.empty() ? Json(nullptr) : Json(step.action)},
                               {"reward", step.reward}});
  }
  return json;
}

}  // namespace ndnf
