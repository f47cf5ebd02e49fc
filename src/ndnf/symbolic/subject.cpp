#include "ndnf/symbolic/subject.h"

#include <utility>
#include <variant>

#include "ndnf/base/error.h"
#include "ndnf/logic/undefined.h"
#include "ndnf/mdp/reachability.h"

namespace ndnf {
namespace {

const NeuralDnf<double>* dnf_of(const ActorCritic<double>& network) {
  return std::get_if<NeuralDnf<double>>(&network.actor);
}

std::size_t changed(const PolicyTable& before, const PolicyTable& after, const std::vector<ObsId>& scope) {
  std::size_t count = 0;
  for (const ObsId obs : scope) {
    if (before.argmax(obs) != after.argmax(obs)) ++count;
  }
  return count;
}

}  // namespace

PolicyTable on_environment(const ActorView& view, const PolicyTable& policy) {
  std::vector<double> rows;
  rows.reserve(view.seen_as.size() * policy.action_count());
  for (const ObsId row : view.seen_as) {
    rows.insert(rows.end(), policy.row(row).begin(), policy.row(row).end());
  }
  return PolicyTable(policy.action_count(), std::move(rows));
}

Subject make_subject(const Checkpoint& checkpoint, const FiniteModel& model) {
  const PolicyTable network = tabulate(*policy_of(checkpoint), model.observations());
  const std::vector<ObsId> scope = reachable(model).observations;
  if (const auto undefined = find_undefined(network, model.observations(), scope)) {
    throw Error("policy", undefined->sentence, "only a policy that decides everywhere can be extracted");
  }
  Subject subject{own_view(model.shared_observations()), network, network, std::nullopt, -1, scope, 0};
  const auto* trained = std::get_if<ActorCritic<float>>(&checkpoint.policy);
  if (trained == nullptr) return subject;
  const ActorCritic<double> actor = converted<double>(*trained);
  if (dnf_of(actor) == nullptr) return subject;

  subject.dnf = *dnf_of(actor);
  subject.falsehood = actor.encoder ? -1 : actor.falsehood;
  if (!actor.encoder) return subject;
  subject.view = view_of(actor, model.shared_observations());
  ActorCritic<double> reader;
  reader.actor = *subject.dnf;
  subject.policy = tabulate(ActorPolicy(std::move(reader), model.action_count()), *subject.view.table);
  subject.changed_actions = changed(network, on_environment(subject.view, subject.policy), subject.reachable);
  return subject;
}

}  // namespace ndnf
