#include "ndnf/train/ppo.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/train/ppo_loss.h"
#include "ndnf/train/rollout.h"
#include "ndnf/train/streams.h"
#include "ndnf/update/gae.h"
#include "ndnf/update/weight_average.h"

namespace ndnf {
namespace {

/// Numbers the distinct observations of a minibatch in order of appearance.
class Slots {
 public:
  /// Without `distinct`, every sample gets its own row.
  void assign(std::span<const ObsId> all, std::span<const std::uint32_t> minibatch, std::size_t table_size,
              bool distinct, std::vector<std::uint32_t>& slot_of_sample) {
    slot_.resize(table_size, 0);
    stamp_.resize(table_size, 0);
    ++now_;
    ids.resize(minibatch.size());
    slot_of_sample.resize(minibatch.size());
    std::uint32_t count = 0;
    for (std::size_t j = 0; j < minibatch.size(); ++j) {  // without branches: they would be unpredictable
      const ObsId obs = all[minibatch[j]];
      const bool fresh = !distinct || stamp_[obs] != now_;
      stamp_[obs] = now_;
      slot_[obs] = fresh ? count : slot_[obs];
      slot_of_sample[j] = slot_[obs];
      ids[count] = obs;
      count += fresh ? 1 : 0;
    }
    ids.resize(count);
  }

  std::vector<ObsId> ids;

 private:
  std::vector<std::uint32_t> slot_;
  std::vector<std::uint64_t> stamp_;
  std::uint64_t now_ = 0;
};

/// Sums over the minibatches of an iteration, for the report.
struct Sums {
  double minibatches = 0;
  PpoLosses ppo;
  AuxiliaryLosses auxiliary;

  void add(const PpoLosses& p, const AuxiliaryLosses& a) {
    minibatches += 1;
    ppo.policy += p.policy;
    ppo.value += p.value;
    ppo.entropy += p.entropy;
    ppo.approx_kl += p.approx_kl;
    ppo.clip_fraction += p.clip_fraction;
    auxiliary.l1 += a.l1;
    auxiliary.l2 += a.l2;
    auxiliary.l3 += a.l3;
    auxiliary.l4 += a.l4;
  }
};

}  // namespace

template <class S>
class PpoTrainer<S>::Impl {
 public:
  Impl(std::unique_ptr<VectorEnv> env, ActorCritic<S> network, const PpoOptions& ppo,
       const LossOptions& losses, const DeltaOptions& delta, const HardenOptions& harden, std::uint64_t seed,
       const Constraints& constraints, bool once_per_sample)
      : ppo_(ppo),
        annealed_(ppo),
        losses_(losses),
        delta_(delta),
        harden_(harden),
        collector_(std::move(env), static_cast<std::size_t>(ppo.num_steps), seed, constraints.mask,
                   {ppo.reward_scale, ppo.scale_inputs, ppo.scale_rewards, ppo.gamma}),
        optimiser_(std::move(network), {0.9, 0.999, ppo.adam_eps}, constraints.locked),
        network_(optimiser_.network()),
        dnf_(std::get_if<NeuralDnf<S>>(&network_.actor)),
        shuffles_(seed, kShuffleStream),
        distinct_(!once_per_sample) {}

  bool done() const { return iteration_ >= iterations(); }

  // One iteration of PPO (Schulman et al., 2017): play num_steps steps in every environment with the current
  // policy, estimate advantages (GAE), then run update_epochs epochs of minibatch updates on these samples.
  IterationReport iterate() {
    set_schedules(iteration_);
    const bool bootstraps = ppo_.bootstrap_truncated || collector_.cuts_episodes();
    const Rollout<S>& rollout = collector_.collect(network_, static_cast<std::size_t>(ppo_.num_steps),
                                                   iteration_, bootstraps ? ppo_.gamma : 0);
    generalised_advantages<S>({collector_.walkers(), ppo_.gamma, ppo_.gae_lambda}, rollout.rewards,
                              rollout.values, rollout.ended, rollout.next_values, advantages_, returns_);
    const Sums sums = optimise(rollout);
    if (progress(iteration_) < ppo_.scale_until) collector_.adapt_inputs();
    const IterationReport result = report(rollout, sums);
    if (progress(iteration_ + 1) > 1 - ppo_.average_last) average_.add(network_);
    ++iteration_;
    steps_ += samples_per_iteration();
    return result;
  }

  TensorFile state() const {
    TensorFile file;
    optimiser_.save(file);
    collector_.save(file);
    average_.save(file);
    save_atoms(network_, file);
    file.tensors["counters"] =
        Tensor::of(std::vector<std::uint64_t>{iteration_, steps_, minibatches_at_full_delta_});
    return file;
  }

  void restore(std::string_view where, const TensorFile& file) {
    optimiser_.restore(where, file);
    average_.restore(where, file, network_);
    restore_atoms(where, file, collector_.observations().vocabulary(), network_);
    const auto counters = read_counts(where, file, "counters", 3);
    iteration_ = counters[0];
    collector_.restore(where, file, iteration_);
    steps_ = counters[1];
    minibatches_at_full_delta_ = counters[2];
    if (iteration_ > 0) set_schedules(iteration_ - 1);
  }

  bool began_new_episodes() const { return collector_.began_new_episodes(); }

  const ActorCritic<S>& network() const { return network_; }

  ActorCritic<S> policy() const {
    ActorCritic<S> result = network_;
    if (!average_.empty()) average_.apply(result);
    if (result.critic_by_id) result.critic.reset();
    if (std::holds_alternative<Thresholds<S>>(result.encoder)) {
      harden_atoms(collector_.input_scale().scale(), collector_.observations().vocabulary(), result);
    } else {
      collector_.input_scale().fold_into(result);
    }
    if (auto* dnf = std::get_if<NeuralDnf<S>>(&result.actor)) fold_gain(*dnf);
    return result;
  }

 private:
  std::size_t samples_per_iteration() const {
    return collector_.walkers() * static_cast<std::size_t>(ppo_.num_steps);
  }
  std::size_t iterations() const {
    return static_cast<std::size_t>(ppo_.total_timesteps) / samples_per_iteration();
  }

  /// The fraction of the training that precedes this iteration.
  double progress(std::size_t iteration) const {
    return static_cast<double>(iteration) / static_cast<double>(iterations());
  }

  double rate(Part part) const {
    const double own = part == Part::kCritic ? ppo_.learning_rate_critic : ppo_.learning_rate_actor;
    const double full = own > 0 ? own : ppo_.learning_rate;
    return full * (1 - (ppo_.anneal_lr ? progress(iteration_) : 0));
  }

  void set_schedules(std::size_t iteration) {
    const double now = progress(iteration);
    annealed_.ent_coef = ppo_.ent_coef * (1 - share_done(ppo_.ent_from, ppo_.ent_to, now));
    if (auto* thresholds = std::get_if<Thresholds<S>>(&network_.encoder))
      harden(harden_, now, collector_.input_scale().scale(), collector_.observations().vocabulary(),
             *thresholds);
    if (dnf_ == nullptr) return;
    dnf_->delta = delta_in_iteration(delta_, iteration);
    harden(harden_, now, *dnf_);
  }

  Sums optimise(const Rollout<S>& rollout) {
    const auto epochs = static_cast<std::size_t>(ppo_.update_epochs);
    Sums sums;
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
      list_samples(rollout);
      const std::size_t size = order_.size() / static_cast<std::size_t>(ppo_.num_minibatches);
      shuffle(shuffles_, iteration_ * epochs + epoch, words_, order_);
      double kl = 0;
      for (std::size_t begin = 0; begin + size <= order_.size(); begin += size) {
        kl = update(rollout, std::span<const std::uint32_t>(order_).subspan(begin, size), sums);
      }
      if (ppo_.target_kl > 0 && kl > ppo_.target_kl) break;
    }
    return sums;
  }

  void list_samples(const Rollout<S>& rollout) {
    order_.resize(samples_per_iteration());
    std::iota(order_.begin(), order_.end(), 0u);
    if (rollout.skipped.empty()) return;
    std::erase_if(order_, [&](std::uint32_t sample) { return rollout.skipped[sample] != 0; });
  }

  /// One minibatch: forward, losses, backward, Adam. Returns the approximate KL divergence from the old
  /// policy.
  double update(const Rollout<S>& rollout, std::span<const std::uint32_t> minibatch, Sums& sums) {
    take_samples(rollout, minibatch);
    gather(collector_.observations(), slots_.ids, network_, batch_, collector_.mask());
    collector_.input_scale().apply(batch_.numbers);
    forward_actor(network_, batch_, activations_);
    const Matrix<S>& values = forward_critic(network_, batch_, activations_);
    begin_output_gradients();
    const PpoLosses losses = add_ppo_losses(annealed_, samples_, activations_.p, values,
                                            smallest_probability(network_), output_gradients_);
    const AuxiliaryLosses auxiliary = add_auxiliary();
    backward(network_, batch_, activations_, output_gradients_, optimiser_.gradient());
    apply_gradient();
    sums.add(losses, auxiliary);
    return losses.approx_kl;
  }

  void take_samples(const Rollout<S>& rollout, std::span<const std::uint32_t> minibatch) {
    slots_.assign(rollout.observations, minibatch, collector_.observations().size(), distinct_,
                  samples_.slot);
    const auto take = [&](const auto& from, auto& to) {
      to.resize(minibatch.size());
      for (std::size_t j = 0; j < minibatch.size(); ++j) to[j] = from[minibatch[j]];
    };
    take(rollout.actions, samples_.action);
    take(rollout.probabilities, samples_.old_probability);
    take(rollout.values, samples_.old_value);
    take(advantages_, samples_.advantage);
    take(returns_, samples_.target);
    if (ppo_.norm_adv) normalise(samples_.advantage);
    samples_.counts.assign(slots_.ids.size(), S(0));
    for (const std::uint32_t slot : samples_.slot) samples_.counts[slot] += 1;
  }

  void begin_output_gradients() {
    const std::size_t rows = slots_.ids.size();
    output_gradients_.raw.clear(rows, activations_.p.cols());
    output_gradients_.values.clear(rows, 1);
    if (has_encoder(network_.encoder) && !reads_atoms(network_.encoder))
      output_gradients_.features.clear(rows, activations_.encoder.f.cols());
    if (losses_.conj_tanh_out_reg_lambda > 0)
      output_gradients_.conjunctions.clear(rows, activations_.dnf.c.cols());
  }

  AuxiliaryLosses add_auxiliary() {
    if (dnf_ == nullptr) return {};
    if (dnf_->delta == 1) ++minibatches_at_full_delta_;
    const bool waiting = losses_.wait_for_delta &&
                         minibatches_at_full_delta_ <= static_cast<std::uint64_t>(losses_.wait_minibatches);
    if (waiting) return {};
    return add_auxiliary_losses<S>(losses_, network_, activations_, samples_.counts,
                                   static_cast<double>(samples_.size()), output_gradients_,
                                   optimiser_.gradient(), batch_.allowed);
  }

  void apply_gradient() {
    const double square = optimiser_.squared_gradient();
    if (!std::isfinite(square)) {
      throw Error(fmt::format("iteration {}", iteration_ + 1), "the gradient is NaN or infinite",
                  "networks compute in 32 bits: try smaller rewards or a smaller learning rate");
    }
    optimiser_.step(clip_factor(square, ppo_.max_grad_norm), [this](Part part) { return rate(part); });
    optimiser_.shrink_literals(losses_.literal_lambda * rate(Part::kActor));
    if (!ppo_.keep_negative || dnf_ == nullptr) return;
    for (S& w : dnf_->conjunctions.values()) w = std::min(w, S(0));
  }

  IterationReport report(const Rollout<S>& rollout, const Sums& sums) const {
    const double n = sums.minibatches;
    IterationReport result;
    result.iteration = iteration_ + 1;
    result.iterations = iterations();
    result.steps = steps_ + samples_per_iteration();
    result.episodes = rollout.episodes;
    if (rollout.episodes > 0) {
      result.episodic_return = rollout.returns / static_cast<double>(rollout.episodes);
      result.episodic_length = rollout.lengths / static_cast<double>(rollout.episodes);
    }
    result.learning_rate = rate(Part::kActor);
    result.policy_loss = sums.ppo.policy / n;
    result.value_loss = sums.ppo.value / n;
    result.entropy = sums.ppo.entropy / n;
    result.approx_kl = sums.ppo.approx_kl / n;
    result.clip_fraction = sums.ppo.clip_fraction / n;
    result.explained_variance = explained_variance<S>(rollout.values, returns_);
    if (dnf_ == nullptr) return result;
    result.delta = dnf_->delta;
    result.loss_l1 = sums.auxiliary.l1 / n;
    result.loss_l2 = sums.auxiliary.l2 / n;
    result.loss_l3 = sums.auxiliary.l3 / n;
    result.loss_l4 = sums.auxiliary.l4 / n;
    return result;
  }

  const PpoOptions ppo_;
  PpoOptions annealed_;  ///< The same, with the entropy coefficient of this iteration.
  const LossOptions losses_;
  const DeltaOptions delta_;
  const HardenOptions harden_;
  Collector<S> collector_;
  Optimiser<S> optimiser_;
  ActorCritic<S>& network_;  ///< Owned by the optimiser.
  NeuralDnf<S>* dnf_;        ///< The network's actor, if it is a neural DNF.
  WeightAverage<S> average_;
  const RandomStream shuffles_;
  const bool distinct_;

  std::uint64_t iteration_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t minibatches_at_full_delta_ = 0;

  std::vector<S> advantages_;
  std::vector<S> returns_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> words_;
  Slots slots_;
  PpoSamples<S> samples_;
  Batch<S> batch_;
  Activations<S> activations_;
  OutputGradients<S> output_gradients_;
};

template <class S>
PpoTrainer<S>::PpoTrainer(std::unique_ptr<VectorEnv> env, ActorCritic<S> network, const PpoOptions& ppo,
                          const LossOptions& losses, const DeltaOptions& delta, const HardenOptions& harden,
                          std::uint64_t seed, const Constraints& constraints, bool once_per_sample)
    : impl_(std::make_unique<Impl>(std::move(env), std::move(network), ppo, losses, delta, harden, seed,
                                   constraints, once_per_sample)) {}
template <class S>
PpoTrainer<S>::~PpoTrainer() = default;
template <class S>
bool PpoTrainer<S>::done() const {
  return impl_->done();
}
template <class S>
IterationReport PpoTrainer<S>::next_iteration() {
  return impl_->iterate();
}
template <class S>
TensorFile PpoTrainer<S>::state() const {
  return impl_->state();
}
template <class S>
void PpoTrainer<S>::restore(std::string_view where, const TensorFile& state) {
  impl_->restore(where, state);
}

template <class S>
bool PpoTrainer<S>::began_new_episodes() const {
  return impl_->began_new_episodes();
}
template <class S>
const ActorCritic<S>& PpoTrainer<S>::network() const {
  return impl_->network();
}

template <class S>
ActorCritic<S> PpoTrainer<S>::policy() const {
  return impl_->policy();
}

template class PpoTrainer<float>;
template class PpoTrainer<double>;

}  // namespace ndnf
