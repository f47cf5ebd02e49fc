#include "ndnf/model/actor_critic.h"

#include <algorithm>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/nn/activation.h"

namespace ndnf {
namespace {

template <class S, class Input>
const Matrix<S>& forward_body(const ActorCritic<S>& network, const Input& x, Activations<S>& a,
                              const DnfBias<S>* bias) {
  if (const auto* dnf = std::get_if<NeuralDnf<S>>(&network.actor)) {
    return bias == nullptr ? forward(*dnf, x, a.dnf) : forward(*dnf, *bias, x, a.dnf);
  }
  return forward(std::get<Mlp<S>>(network.actor), x, a.actor);
}

template <class S>
void gather_ids(std::span<const ObsId> ids, const ActorCritic<S>& network, AtomBatch& batch) {
  const std::size_t known = network.critic->layers[0].W.rows();
  batch.falsehood = 0;
  batch.active.assign(ids.begin(), ids.end());
  batch.ends.resize(ids.size());
  for (std::size_t b = 0; b < ids.size(); ++b) {
    batch.ends[b] = b + 1;
    if (ids[b] < known) continue;
    throw Error("[critic]", "model = \"table\" met an observation that was not known at the start",
                "use model = \"mlp\" if the observations cannot be listed in advance");
  }
}

void gather_allowed(const ActionMask* mask, std::span<const ObsId> ids, std::vector<std::uint64_t>& allowed) {
  allowed.clear();
  if (mask == nullptr) return;
  for (const ObsId obs : ids) allowed.push_back(mask->bits(obs));
}

/// Over the allowed actions; `allowed` as in Batch.
template <class S>
void forward_softmax(const Matrix<S>& raw, const std::vector<std::uint64_t>& allowed, Matrix<S>& p) {
  if (allowed.empty()) {
    softmax_forward(raw, p);
  } else {
    masked_softmax_forward(raw, std::span<const std::uint64_t>(allowed), p);
  }
}

template <class S, class Input>
void backward_body(const ActorCritic<S>& network, const Input& x, Activations<S>& a,
                   const OutputGradients<S>& output_gradients, ActorCritic<S>& gradient, Matrix<S>* dx) {
  if (const auto* dnf = std::get_if<NeuralDnf<S>>(&network.actor)) {
    const Matrix<S>* dc = output_gradients.conjunctions.size() > 0 ? &output_gradients.conjunctions : nullptr;
    backward(*dnf, x, a.dnf, output_gradients.raw, dc, std::get<NeuralDnf<S>>(gradient.actor), dx);
  } else {
    backward(std::get<Mlp<S>>(network.actor), x, a.actor, output_gradients.raw,
             std::get<Mlp<S>>(gradient.actor), dx);
  }
}

template <class S>
void backward_critic(const ActorCritic<S>& network, const Batch<S>& batch, Activations<S>& a,
                     const OutputGradients<S>& output_gradients, ActorCritic<S>& gradient) {
  if (!network.critic || output_gradients.values.size() == 0) return;
  const auto through = [&](const auto& x, Matrix<S>* dx) {
    backward(*network.critic, x, a.critic, output_gradients.values, *gradient.critic, dx);
  };
  Matrix<S>* const none = nullptr;
  if (network.critic_by_id) return through(batch.ids, none);
  if (numbers_read(network.encoder) == 0) return through(batch.atoms, none);
  if (shares_outputs(network.encoder)) return through(a.encoder.f, &a.df);
  through(batch.numbers, none);
}

/// The truth values of comparisons as further atoms, after those of the task.
void gather_comparisons(const Comparisons& comparisons, const ObservationTable& table,
                        std::span<const ObsId> ids, AtomBatch& atoms) {
  const auto first = static_cast<std::uint32_t>(table.vocabulary().atom_count());
  const std::vector<std::uint32_t> own = atoms.active;
  const std::vector<std::size_t> ends = atoms.ends;
  std::vector<bool> holds;
  atoms.active.clear();
  for (std::size_t b = 0; b < ids.size(); ++b) {
    const std::size_t begin = b == 0 ? 0 : ends[b - 1];
    for (std::size_t k = begin; k < ends[b]; ++k) atoms.active.push_back(own[k]);
    truth_values(comparisons, table, ids[b], holds);
    for (std::uint32_t i = 0; i < holds.size(); ++i) {
      if (holds[i]) atoms.active.push_back(first + i);
    }
    atoms.ends[b] = atoms.active.size();
  }
}

}  // namespace

template <class To, class From>
ActorCritic<To> converted(const ActorCritic<From>& network) {
  ActorCritic<To> result{network.falsehood, converted<To>(network.encoder), {}, {}, network.critic_by_id};
  std::visit([&](const auto& actor) { result.actor = converted<To>(actor); }, network.actor);
  if (network.critic) result.critic = converted<To>(*network.critic);
  return result;
}

template <class S>
ActorCritic<S> zeros_like(const ActorCritic<S>& network) {
  ActorCritic<S> result = network;
  set_zero(result);
  return result;
}

template <class S>
void drop_unused_comparisons(ActorCritic<S>& network) {
  std::vector<NumericLiteral>& literals = std::get<Comparisons>(network.encoder).literals;
  Matrix<S>& W = std::get<NeuralDnf<S>>(network.actor).conjunctions;
  const std::size_t first = W.rows() - literals.size();
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < W.rows(); ++i) {
    const std::span<const S> row = W.row_span(i);
    if (i < first || std::any_of(row.begin(), row.end(), [](S w) { return w != 0; })) kept.push_back(i);
  }
  Matrix<S> used(kept.size(), W.cols());
  std::vector<NumericLiteral> remaining;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    std::copy_n(W.row(kept[k]), W.cols(), used.row(k));
    if (kept[k] >= first) remaining.push_back(literals[kept[k] - first]);
  }
  W = std::move(used);
  literals = std::move(remaining);
}

template <class S>
void set_zero(ActorCritic<S>& network) {
  visit_parameters(network, [](const std::string&, Part, Matrix<S>& m) { m.fill(S(0)); });
}

void gather_atoms(const ObservationTable& table, std::span<const ObsId> ids, double falsehood,
                  AtomBatch& atoms) {
  const Vocabulary& vocabulary = table.vocabulary();
  atoms.falsehood = falsehood;
  atoms.active.resize(ids.size() * vocabulary.group_count());
  atoms.ends.resize(ids.size());
  std::size_t end = 0;
  for (std::size_t b = 0; b < ids.size(); ++b) {
    const auto values = table.values(ids[b]);
    for (std::size_t g = 0; g < values.size(); ++g) {
      const bool one_hot = vocabulary.group(g).one_hot;
      atoms.active[end] = vocabulary.first_atom(g) + (one_hot ? values[g] : 0);
      end += one_hot || values[g] != 0 ? 1 : 0;
    }
    atoms.ends[b] = end;
  }
  atoms.active.resize(end);
}

template <class S>
void gather(const ObservationTable& table, std::span<const ObsId> ids, const ActorCritic<S>& network,
            Batch<S>& batch, const ActionMask* mask) {
  gather_allowed(mask, ids, batch.allowed);
  if (network.critic && network.critic_by_id) gather_ids(ids, network, batch.ids);
  if (numbers_read(network.encoder) > 0) gather_numbers(table, ids, batch.numbers);
  if (!reads_atoms(network.encoder)) return;
  gather_atoms(table, ids, network.falsehood, batch.atoms);
  if (const Comparisons* comparisons = comparisons_of(network.encoder))
    gather_comparisons(*comparisons, table, ids, batch.atoms);
}

template <class S>
const Matrix<S>& forward_actor(const ActorCritic<S>& network, const Batch<S>& batch, Activations<S>& a,
                               const DnfBias<S>* bias) {
  const Matrix<S>& raw =
      reads_atoms(network.encoder)
          ? forward_body(network, batch.atoms, a, bias)
          : forward_body(network, forward(network.encoder, batch.numbers, a.encoder), a, bias);
  forward_softmax(raw, batch.allowed, a.p);
  return raw;
}

template <class S>
const Matrix<S>& forward_critic(const ActorCritic<S>& network, const Batch<S>& batch, Activations<S>& a) {
  if (network.critic_by_id) return forward(*network.critic, batch.ids, a.critic);
  if (numbers_read(network.encoder) == 0) return forward(*network.critic, batch.atoms, a.critic);
  return forward(*network.critic, shares_outputs(network.encoder) ? a.encoder.f : batch.numbers, a.critic);
}

template <class S>
void backward(const ActorCritic<S>& network, const Batch<S>& batch, Activations<S>& a,
              const OutputGradients<S>& output_gradients, ActorCritic<S>& gradient) {
  Matrix<S>* const none = nullptr;
  if (reads_atoms(network.encoder)) {
    backward_body(network, batch.atoms, a, output_gradients, gradient, none);
    return backward_critic(network, batch, a, output_gradients, gradient);
  }
  if (!has_encoder(network.encoder)) {
    backward_body(network, batch.numbers, a, output_gradients, gradient, none);
    return backward_critic(network, batch, a, output_gradients, gradient);
  }
  a.df.reshape(a.encoder.f.rows(), a.encoder.f.cols());
  if (output_gradients.features.size() > 0) {
    std::copy(output_gradients.features.values().begin(), output_gradients.features.values().end(),
              a.df.values().begin());
  } else {
    a.df.fill(S(0));
  }
  backward_body(network, a.encoder.f, a, output_gradients, gradient, &a.df);
  backward_critic(network, batch, a, output_gradients, gradient);
  backward(network.encoder, batch.numbers, a.encoder, a.df, gradient.encoder);
}

ActorPolicy::ActorPolicy(ActorCritic<double> network, std::size_t action_count, const ActionMask* mask)
    : network_(std::move(network)), action_count_(action_count), mask_(mask) {
  if (const auto* dnf = std::get_if<NeuralDnf<double>>(&network_.actor)) logical_bias(*dnf, bias_.emplace());
}

void ActorPolicy::probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                                std::span<double> rows) const {
  Batch<double> batch;
  Activations<double> activations;
  gather(table, ids, network_, batch, mask_);
  forward_actor(network_, batch, activations, bias_ ? &*bias_ : nullptr);
  std::copy(activations.p.values().begin(), activations.p.values().end(), rows.begin());
}

DnfPolicy::DnfPolicy(NeuralDnf<double> dnf, const ActionMask* mask) : dnf_(std::move(dnf)), mask_(mask) {
  logical_bias(dnf_, bias_);
}

void DnfPolicy::probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                              std::span<double> rows) const {
  AtomBatch atoms;
  std::vector<std::uint64_t> allowed;
  gather_atoms(table, ids, -1, atoms);
  gather_allowed(mask_, ids, allowed);
  DnfActivations<double> activations;
  Matrix<double> p;
  forward_softmax(forward(dnf_, bias_, atoms, activations), allowed, p);
  std::copy(p.values().begin(), p.values().end(), rows.begin());
}

template ActorCritic<float> converted(const ActorCritic<float>&);
template ActorCritic<double> converted(const ActorCritic<float>&);
template ActorCritic<float> converted(const ActorCritic<double>&);
template ActorCritic<double> converted(const ActorCritic<double>&);
#define NDNF_INSTANTIATE(S)                                                                                  \
  template void drop_unused_comparisons(ActorCritic<S>&);                                                    \
  template ActorCritic<S> zeros_like(const ActorCritic<S>&);                                                 \
  template void set_zero(ActorCritic<S>&);                                                                   \
  template void gather(const ObservationTable&, std::span<const ObsId>, const ActorCritic<S>&, Batch<S>&,    \
                       const ActionMask*);                                                                   \
  template const Matrix<S>& forward_actor(const ActorCritic<S>&, const Batch<S>&, Activations<S>&,           \
                                          const DnfBias<S>*);                                                \
  template const Matrix<S>& forward_critic(const ActorCritic<S>&, const Batch<S>&, Activations<S>&);         \
  template void backward(const ActorCritic<S>&, const Batch<S>&, Activations<S>&, const OutputGradients<S>&, \
                         ActorCritic<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
