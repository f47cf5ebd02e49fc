#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/encoder.h"
#include "ndnf/model/layers.h"

namespace ndnf {

/// The actor, the critic (while training) and their input: the observation itself, or an encoder that they
/// share. The gradient of a network is a network of the same shape.
template <class S>
struct ActorCritic {
  double falsehood = -1;  ///< Input coding: the value of a false atom, −1 or 0.
  Encoder<S> encoder;
  std::variant<NeuralDnf<S>, Mlp<S>> actor;
  std::optional<Mlp<S>> critic;
  /// Whether the critic is a table: its input is the id of the observation (one row of its only layer each)
  /// instead of its contents. Such a critic is meaningless outside of the training run.
  bool critic_by_id = false;
};

/// The part of the network that a parameter belongs to; parts may have their own learning rates.
enum class Part : std::uint8_t { kEncoder, kActor, kCritic };

/// Calls visit(name, part, matrix) for every parameter, always in the same order. Names are the reference's:
/// `image_encoder.0.weight`, `extra_layer.0.bias`, `actor.conjunctions.weights`, `actor.0.weight`,
/// `critic.2.bias`. `Network` is ActorCritic<S>, const or not.
template <class Network, class Visit>
void visit_parameters(Network& network, Visit visit) {
  visit_encoder(network.encoder, [&](const std::string& name, auto& m) { visit(name, Part::kEncoder, m); });
  const auto visit_mlp = [&](const std::string& prefix, Part part, auto& mlp) {
    for (std::size_t l = 0; l < mlp.layers.size(); ++l) {
      // The reference also numbers the activations in between.
      const std::string name = prefix + "." + std::to_string(2 * l);
      visit(name + ".weight", part, mlp.layers[l].W);
      if (mlp.layers[l].bias.size() > 0) visit(name + ".bias", part, mlp.layers[l].bias);
    }
  };
  std::visit(
      [&](auto& actor) {
        if constexpr (requires { actor.conjunctions; }) {
          visit(std::string("actor.conjunctions.weights"), Part::kActor, actor.conjunctions);
          visit(std::string("actor.disjunctions.weights"), Part::kActor, actor.disjunctions);
        } else {
          visit_mlp("actor", Part::kActor, actor);
        }
      },
      network.actor);
  if (network.critic) visit_mlp("critic", Part::kCritic, *network.critic);
}

/// The same network in another precision: training uses float, policies are evaluated in double.
template <class To, class From>
ActorCritic<To> converted(const ActorCritic<From>& network);

/// Leaves out the comparisons that no conjunction uses. REQUIRES: the encoder has comparisons and the actor
/// is a neural DNF.
template <class S>
void drop_unused_comparisons(ActorCritic<S>& network);

/// A network of the same shape with all parameters 0.
template <class S>
ActorCritic<S> zeros_like(const ActorCritic<S>& network);
template <class S>
void set_zero(ActorCritic<S>& network);

/// Distinct observations as input of the network: true atoms or dense rows (numbers_read).
template <class S>
struct Batch {
  AtomBatch atoms;
  AtomBatch ids;  ///< If the critic is a table.
  Matrix<S> numbers;
  std::vector<std::uint64_t> allowed;  ///< Per observation, one bit per action; empty: all are allowed.
};
/// With a mask, forbidden actions get probability 0, as if their raw outputs were −∞. Throws Error if the
/// critic is a table and an observation was added after its creation.
template <class S>
void gather(const ObservationTable& table, std::span<const ObsId> ids, const ActorCritic<S>& network,
            Batch<S>& batch, const ActionMask* mask = nullptr);
/// The true atoms alone.
void gather_atoms(const ObservationTable& table, std::span<const ObsId> ids, double falsehood,
                  AtomBatch& atoms);

/// The results of forward that backward needs.
template <class S>
struct Activations {
  EncoderActivations<S> encoder;
  DnfActivations<S> dnf;
  MlpActivations<S> actor;
  MlpActivations<S> critic;
  Matrix<S> p;   // (B, N) action probabilities: mutex-tanh as in Eqs. (2) and (3)
  Matrix<S> df;  // scratch for backward
};

/// The actor's raw outputs, (B, N); activations.p holds their softmax over the allowed actions. Callers with
/// precomputed biases of a neural DNF may pass them; backward() is then not supported.
template <class S>
const Matrix<S>& forward_actor(const ActorCritic<S>& network, const Batch<S>& batch,
                               Activations<S>& activations, const DnfBias<S>* bias = nullptr);
/// Values, (B, 1). REQUIRES: there is a critic and, if there is an encoder, forward_actor was called with
/// the same batch.
template <class S>
const Matrix<S>& forward_critic(const ActorCritic<S>& network, const Batch<S>& batch,
                                Activations<S>& activations);

/// Gradients of a loss at the network's outputs. Empty matrices count as 0, but `raw` must be given.
template <class S>
struct OutputGradients {
  Matrix<S> raw;           // (B, N) at the actor's raw outputs
  Matrix<S> values;        // (B, 1)
  Matrix<S> conjunctions;  // (B, Q) at the conjunctions' outputs, used by L3
  Matrix<S> features;      // (B, F) at the encoder's outputs, used by L1
};

/// Adds the gradients of the parameters to `gradient`.
template <class S>
void backward(const ActorCritic<S>& network, const Batch<S>& batch, Activations<S>& activations,
              const OutputGradients<S>& output_gradients, ActorCritic<S>& gradient);

/// A trained actor as a policy. A DNF or DNF-EO without mutex-tanh also uses the softmax of its raw outputs.
class ActorPolicy final : public Policy {
 public:
  /// `mask`, if given, belongs to the tables that this is used with, and outlives it.
  ActorPolicy(ActorCritic<double> network, std::size_t action_count, const ActionMask* mask = nullptr);
  std::size_t action_count() const override { return action_count_; }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;

 private:
  ActorCritic<double> network_;
  std::optional<DnfBias<double>> bias_;  ///< Computed once: it costs more than the rest of a decision.
  std::size_t action_count_;
  const ActionMask* mask_;
};

/// A neural DNF over the atoms of a table, −1 for false, as a policy.
class DnfPolicy final : public Policy {
 public:
  /// `mask` as for ActorPolicy.
  explicit DnfPolicy(NeuralDnf<double> dnf, const ActionMask* mask = nullptr);
  std::size_t action_count() const override { return dnf_.disjunctions.cols(); }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;

 private:
  NeuralDnf<double> dnf_;
  DnfBias<double> bias_;
  const ActionMask* mask_;
};

}  // namespace ndnf
