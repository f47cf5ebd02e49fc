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
#include "ndnf/model/layers.h"

namespace ndnf {

/// The actor, the critic (if it is being trained) and the encoder they may share. The gradient of a network
/// is a network of the same shape.
template <class S>
struct ActorCritic {
  double falsehood = -1;  ///< Input coding: what a false atom is to the network, −1 or 0.
  std::optional<Encoder<S>> encoder;
  std::variant<NeuralDnf<S>, Mlp<S>> actor;
  std::optional<Mlp<S>> critic;
  /// Whether the critic is a table: it reads which observation it is (one row of its only layer each) instead
  /// of what is seen. It then means nothing outside the training.
  bool critic_by_id = false;
};

/// Which part of the network a parameter belongs to; parts may have learning rates of their own.
enum class Part : std::uint8_t { kEncoder, kActor, kCritic };

/// Calls visit(name, part, matrix) for every parameter, always in the same order. Names are the reference's:
/// `image_encoder.0.weight`, `extra_layer.0.bias`, `actor.conjunctions.weights`, `actor.0.weight`,
/// `critic.2.bias`. `Network` is ActorCritic<S>, const or not.
template <class Network, class Visit>
void visit_parameters(Network& network, Visit visit) {
  if (network.encoder) {
    visit(std::string("image_encoder.0.weight"), Part::kEncoder, network.encoder->kernel);
    visit(std::string("image_encoder.0.bias"), Part::kEncoder, network.encoder->kernel_bias);
    visit(std::string("extra_layer.0.weight"), Part::kEncoder, network.encoder->W);
    visit(std::string("extra_layer.0.bias"), Part::kEncoder, network.encoder->bias);
  }
  const auto visit_mlp = [&](const std::string& prefix, Part part, auto& mlp) {
    for (std::size_t l = 0; l < mlp.layers.size(); ++l) {
      // The reference numbers the activations in between too.
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

/// The same network in another precision: float trains, double is what a policy means.
template <class To, class From>
ActorCritic<To> converted(const ActorCritic<From>& network);

/// A network of the same shape with all parameters 0.
template <class S>
ActorCritic<S> zeros_like(const ActorCritic<S>& network);
template <class S>
void set_zero(ActorCritic<S>& network);

/// Distinct observations as the first layer reads them: true atoms, or images where there is an encoder.
template <class S>
struct Batch {
  AtomBatch atoms;
  AtomBatch ids;  ///< Where the critic is a table.
  Matrix<S> images;
  std::vector<std::uint64_t> allowed;  ///< Per observation, one bit for each action; empty: all.
};
/// With a mask, forbidden actions will have probability 0, as if their raw outputs were −∞. Throws Error if
/// the critic is a table that was made before an observation appeared.
template <class S>
void gather(const ObservationTable& table, std::span<const ObsId> ids, const ActorCritic<S>& network,
            Batch<S>& batch, const ActionMask* mask = nullptr);

/// What forward leaves behind and backward needs.
template <class S>
struct Activations {
  EncoderActivations<S> encoder;
  DnfActivations<S> dnf;
  MlpActivations<S> actor;
  MlpActivations<S> critic;
  Matrix<S> p;   // (B, N) action probabilities: mutex-tanh as in Eqs. (2) and (3)
  Matrix<S> df;  // scratch for backward
};

/// Raw outputs of the actor, (B, N); activations.p holds their softmax, over the allowed actions. Who knows
/// the biases of a neural DNF and does not need `backward` may give them.
template <class S>
const Matrix<S>& forward_actor(const ActorCritic<S>& network, const Batch<S>& batch,
                               Activations<S>& activations, const DnfBias<S>* bias = nullptr);
/// Values, (B, 1). REQUIRES: there is a critic, and forward_actor was called with the same batch if there is
/// an encoder.
template <class S>
const Matrix<S>& forward_critic(const ActorCritic<S>& network, const Batch<S>& batch,
                                Activations<S>& activations);

/// Slopes of a loss at the network's outputs; empty matrices count as 0, but `raw` is always given.
template <class S>
struct Slopes {
  Matrix<S> raw;           // (B, N) at the actor's raw outputs
  Matrix<S> values;        // (B, 1)
  Matrix<S> conjunctions;  // (B, Q) at the conjunctions' outputs, as of L3
  Matrix<S> features;      // (B, F) at the encoder's outputs, as of L1
};

/// Adds the parameters' slopes to `gradient`.
template <class S>
void backward(const ActorCritic<S>& network, const Batch<S>& batch, Activations<S>& activations,
              const Slopes<S>& slopes, ActorCritic<S>& gradient);

/// A trained actor as a policy. A DNF or DNF-EO without mutex-tanh is read by the same softmax of its raw
/// outputs.
class ActorPolicy final : public Policy {
 public:
  /// `mask`, if there is one, is of the tables this is used with, and outlives it.
  ActorPolicy(ActorCritic<double> network, std::size_t action_count, const ActionMask* mask = nullptr);
  std::size_t action_count() const override { return action_count_; }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override;

 private:
  ActorCritic<double> network_;
  std::optional<DnfBias<double>> bias_;  ///< Computed once: it takes longer than all the rest of a decision.
  std::size_t action_count_;
  const ActionMask* mask_;
};

}  // namespace ndnf
