#include "ndnf/train/rollout.h"

#include <algorithm>
#include <utility>

#include "ndnf/train/ppo_loss.h"
#include "ndnf/train/streams.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {

template <class S>
Collector<S>::Collector(std::unique_ptr<VectorEnv> env, std::size_t steps, std::uint64_t seed,
                        const ActionMask* mask, const Scaling& scaling)
    : env_(std::move(env)),
      action_count_(env_->observations().vocabulary().action_count()),
      seed_(seed),
      random_(seed, kActionStream),
      mask_(mask),
      scaling_(scaling),
      reward_scale_(scaling.discount),
      episode_returns_(env_->size(), 0.0),
      episode_lengths_(env_->size(), 0) {
  env_->keep(steps);
  const auto first = env_->reset(seed);
  current_.assign(first.begin(), first.end());
}

template <class S>
const Rollout<S>& Collector<S>::collect(const ActorCritic<S>& network, std::size_t steps,
                                        std::uint64_t iteration, double bootstrap) {
  const std::size_t count = walkers();
  const std::size_t samples = steps * count;
  const S smallest = smallest_probability(network);
  ++cache_now_;
  if (!env_->observations().is_buffer())
    look_up(network, rollout_.observations);  // most observations recur: one batch for all
  rollout_.observations.resize(samples);
  rollout_.actions.resize(samples);
  rollout_.probabilities.resize(samples);
  rollout_.values.resize(samples);
  rollout_.rewards.resize(samples);
  rollout_.ended.resize(samples);
  rollout_.skipped.clear();
  rollout_.next_values.resize(count);
  rollout_.episodes = 0;
  rollout_.returns = rollout_.lengths = 0;
  words_.resize(samples);
  random_.fill(iteration * blocks_for(samples), words_);
  for (std::size_t t = 0; t < steps; ++t) {
    const std::size_t first = t * count;
    look_up(network, current_);
    for (std::size_t n = 0; n < count; ++n) act(first + n, current_[n], smallest);
    const VectorStep step = env_->step(std::span(rollout_.actions).subspan(first, count));
    if (!step.skipped.empty()) rollout_.skipped.resize(samples, 0);
    for (std::size_t n = 0; n < count; ++n) record(first + n, n, step);
    if (bootstrap > 0) go_on_after_limit(network, step, first);
    current_.assign(step.observations.begin(), step.observations.end());
  }
  scale_rewards(bootstrap);
  look_up(network, current_);
  for (std::size_t n = 0; n < count; ++n) rollout_.next_values[n] = cached_values_[current_[n]];
  return rollout_;
}

/// Ensures that the probabilities and values of these observations are in the cache.
template <class S>
void Collector<S>::look_up(const ActorCritic<S>& network, std::span<const ObsId> ids) {
  const std::size_t size = env_->observations().size();
  if (cache_stamp_.size() < size) {
    cache_stamp_.resize(size, 0);
    cached_p_.resize(size * action_count_);
    cached_values_.resize(size);
  }
  missing_.clear();
  for (const ObsId id : ids) {
    if (cache_stamp_[id] == cache_now_) continue;
    cache_stamp_[id] = cache_now_;
    missing_.push_back(id);
  }
  if (missing_.empty()) return;
  gather(env_->observations(), missing_, network, batch_, mask());
  input_scale_.apply(batch_.numbers);
  forward_actor(network, batch_, activations_);
  const Matrix<S>& values = forward_critic(network, batch_, activations_);
  for (std::size_t b = 0; b < missing_.size(); ++b) {
    std::copy_n(activations_.p.row(b), action_count_, cached_p_.data() + missing_[b] * action_count_);
    cached_values_[missing_[b]] = values(b, 0);
  }
}

template <class S>
void Collector<S>::act(std::size_t sample, ObsId obs, S smallest) {
  const S* p = cached_p_.data() + obs * action_count_;
  const S threshold = static_cast<S>(words_[sample] * 0x1.0p-32);
  ActionId action = 0;
  for (S sum = p[0]; sum <= threshold && action + 1 < action_count_; sum += p[++action]) {
  }
  while (p[action] == 0) --action;  // a sum rounded to less than 1 can overshoot the last possible action
  rollout_.observations[sample] = obs;
  rollout_.actions[sample] = action;
  rollout_.probabilities[sample] = clamped(p[action], smallest);
  rollout_.values[sample] = cached_values_[obs];
}

template <class S>
void Collector<S>::record(std::size_t sample, std::size_t walker, const VectorStep& step) {
  if (!step.skipped.empty() && step.skipped[walker] != 0) {
    rollout_.rewards[sample] = 0;
    rollout_.skipped[sample] = rollout_.ended[sample] = 1;
    return;
  }
  rollout_.rewards[sample] = scaling_.reward * step.rewards[walker];
  rollout_.ended[sample] = step.terminated[walker] | step.truncated[walker];
  episode_returns_[walker] += step.rewards[walker];
  ++episode_lengths_[walker];
  if (rollout_.ended[sample] == 0) return;
  ++rollout_.episodes;
  rollout_.returns += episode_returns_[walker];
  rollout_.lengths += static_cast<double>(episode_lengths_[walker]);
  episode_returns_[walker] = 0;
  episode_lengths_[walker] = 0;
}

template <class S>
void Collector<S>::go_on_after_limit(const ActorCritic<S>& network, const VectorStep& step,
                                     std::size_t first) {
  for (std::size_t n = 0; n < walkers(); ++n) {
    if (step.truncated[n] == 0 || step.terminated[n] != 0) continue;
    look_up(network, step.arrived.subspan(n, 1));
    beyond_limit_.emplace_back(first + n, static_cast<double>(cached_values_[step.arrived[n]]));
  }
}

/// The critic's values are in scaled rewards already.
template <class S>
void Collector<S>::scale_rewards(double bootstrap) {
  if (scaling_.rewards) reward_scale_.apply(walkers(), rollout_.ended, rollout_.rewards);
  for (const auto& [sample, value] : beyond_limit_) rollout_.rewards[sample] += bootstrap * value;
  beyond_limit_.clear();
}

template <class S>
void Collector<S>::adapt_inputs() {
  if (scaling_.inputs) input_scale_.observe(env_->observations(), rollout_.observations);
}

template <class S>
void Collector<S>::save(TensorFile& file) const {
  if (scaling_.inputs) input_scale_.save(file);
  if (scaling_.rewards) reward_scale_.save(file);
  const auto episodes = env_->snapshot();
  if (!episodes) return;
  file.tensors["environment"] = Tensor::of(*episodes);
  file.tensors["episode.returns"] = Tensor::of(episode_returns_);
  file.tensors["episode.lengths"] = Tensor::of(episode_lengths_);
}

template <class S>
void Collector<S>::restore(std::string_view where, const TensorFile& file, std::uint64_t iteration) {
  if (scaling_.inputs) input_scale_.restore(where, file);
  if (scaling_.rewards) reward_scale_.restore(where, file);
  if (!file.tensors.contains("environment")) {
    const auto first = env_->reset(seed_ + iteration);
    current_.assign(first.begin(), first.end());
    new_episodes_ = true;
    return;
  }
  episode_returns_ = read_numbers<double>(where, file, "episode.returns", walkers());
  episode_lengths_ = read_counts(where, file, "episode.lengths", walkers());
  const auto seen = env_->restore(file.at(where, "environment").as<std::uint64_t>(where));
  current_.assign(seen.begin(), seen.end());
}

template class Collector<float>;
template class Collector<double>;

}  // namespace ndnf
