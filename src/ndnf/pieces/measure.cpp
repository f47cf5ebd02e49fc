#include "ndnf/pieces/measure.h"

#include <algorithm>

#include "ndnf/mdp/evaluate.h"
#include "ndnf/mdp/merged_chain.h"
#include "ndnf/optimum/optimum.h"

namespace ndnf {
namespace {

constexpr ActionId kStick = 0;
constexpr ActionId kHit = 1;
constexpr double kCertain = 1 - 1e-9;

Json evaluation_json(const FiniteModel& model, const PolicyTable& policy) {
  const Evaluation evaluation = evaluate_exactly(model, policy);
  if (evaluation.undefined) return {{"return", nullptr}, {"terminated", nullptr}};
  Json json = {{"return", evaluation.mean_return}, {"terminated", evaluation.terminated}};
  for (std::size_t t = 0; t < model.tags().size(); ++t) json[model.tags()[t]] = evaluation.tag_rates[t];
  return json;
}

/// Start states from which the episode may exceed the step limit. In an undefined row the episode never
/// finishes.
std::size_t stuck_starts(const FiniteModel& model, const PolicyTable& policy) {
  const MergedChain chain({model, policy});
  std::vector<double> finishes(model.state_count(), 0.0);  // within the remaining steps
  std::vector<double> longer(finishes);
  for (std::size_t step = 0; step < model.horizon(); ++step) {
    for (StateId s = 0; s < model.state_count(); ++s) {
      longer[s] = 0;
      for (const MergedChain::Ending& ending : chain.endings(s)) longer[s] += ending.probability;
      for (const MergedChain::Move& move : chain.moves(s))
        longer[s] += move.probability * finishes[move.next];
    }
    finishes.swap(longer);
  }
  const auto starts = model.starts();
  return static_cast<std::size_t>(std::count_if(
      starts.begin(), starts.end(), [&](const Start& start) { return finishes[start.state] < kCertain; }));
}

void add_blackjack(Json& json, const FiniteModel& model, const PolicyTable& policy) {
  std::vector<bool> decides(policy.size(), false);
  for (const ObsId obs : model.decision_observations()) decides[obs] = true;
  const PolicyTable best = find_optimum(model).policy;
  Json hits = Json::array();
  std::size_t other_decisions = 0;
  std::size_t other = 0;
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    const ActionId right = decides[obs] ? best.argmax(obs) : kStick;
    const bool differs = !policy.defined(obs) || policy.argmax(obs) != right;
    other += differs ? 1 : 0;
    if (!decides[obs]) continue;
    other_decisions += differs ? 1 : 0;
    const auto hand = model.observations().values(obs);
    hits.push_back(
        {hand[0], hand[1], hand[2], policy.defined(obs) ? Json(policy.row(obs)[kHit]) : Json(), right});
  }
  json["divergence"] = {
      {"decisions", static_cast<double>(other_decisions) / static_cast<double>(hits.size())},
      {"all", static_cast<double>(other) / static_cast<double>(policy.size())}};
  json["hits"] = std::move(hits);
}

}  // namespace

Json measure(const PolicyTable& policy, const Task& environment) {
  const FiniteModel& model = environment.model();
  Json json;
  for (const char* how : {"argmax", "sample", "epsilon:0.1"}) {
    json[how] = evaluation_json(model, select(policy, Selection::parse("", how)));
  }
  json["stuck_starts"] = stuck_starts(model, select(policy, Selection::parse("", "argmax")));
  if (environment.spec.starts_with("blackjack")) add_blackjack(json, model, policy);
  return json;
}

}  // namespace ndnf
