#include "ndnf/nodes/subject.h"

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

/// The mask for the view's rows; nothing if reachable observations that look the same allow different
/// actions.
std::optional<ActionMask> seen_mask(const ActorView& view, const ActionMask& mask,
                                    const std::vector<ObsId>& scope) {
  const std::uint64_t all = ~std::uint64_t{0} >> (kMaxActions - mask.action_count());
  std::vector<std::uint64_t> allowed(view.table->size(), 0);
  for (const ObsId obs : scope) {
    std::uint64_t& bits = allowed[view.seen_as[obs]];
    if (bits != 0 && bits != mask.bits(obs)) return std::nullopt;
    bits = mask.bits(obs);
  }
  for (std::uint64_t& bits : allowed) bits = bits == 0 ? all : bits;
  return ActionMask(mask.action_count(), std::move(allowed));
}

}  // namespace

PolicyTable on_environment(const ActorView& view, const PolicyTable& policy) {
  std::vector<double> rows;
  std::vector<double> exactly_one;
  rows.reserve(view.seen_as.size() * policy.action_count());
  for (const ObsId row : view.seen_as) {
    rows.insert(rows.end(), policy.row(row).begin(), policy.row(row).end());
    exactly_one.push_back(policy.exactly_one(row));
  }
  return PolicyTable(policy.action_count(), std::move(rows), std::move(exactly_one));
}

Subject make_subject(PolicyTable rows, const FiniteModel& model, const std::string& name) {
  std::vector<ObsId> scope = reachable(model).observations;
  if (const auto undefined = find_undefined(rows, model.observations(), scope)) {
    throw Error(name, undefined->sentence,
                "only a policy defined in every reachable observation can be extracted");
  }
  return {own_view(model.shared_observations()), rows, rows, std::nullopt, -1, std::move(scope), 0};
}

Subject make_subject(const Checkpoint& checkpoint, const FiniteModel& model, const ActionMask* mask) {
  Subject subject = make_subject(tabulate(*policy_of(checkpoint, mask), model.observations()), model);
  const auto* trained = std::get_if<ActorCritic<float>>(&checkpoint.policy);
  if (trained == nullptr) return subject;
  const ActorCritic<double> actor = converted<double>(*trained);
  if (dnf_of(actor) == nullptr) return subject;

  if (!has_encoder(actor.encoder)) {
    subject.dnf = *dnf_of(actor);
    subject.falsehood = actor.falsehood;
    return subject;
  }
  ActorView view = view_of(actor.encoder, model.shared_observations());
  std::optional<ActionMask> view_mask;
  if (mask != nullptr && !(view_mask = seen_mask(view, *mask, subject.reachable))) return subject;
  subject.view = std::move(view);
  subject.dnf = *dnf_of(actor);
  subject.policy = tabulate(DnfPolicy(*subject.dnf, view_mask ? &*view_mask : nullptr), *subject.view.table);
  subject.changed_actions =
      changed(subject.network, on_environment(subject.view, subject.policy), subject.reachable);
  return subject;
}

Subject on_atoms(const Subject& subject, const FiniteModel& model) {
  return {own_view(model.shared_observations()),
          subject.network,
          subject.network,
          std::nullopt,
          -1,
          subject.reachable,
          0};
}

}  // namespace ndnf
