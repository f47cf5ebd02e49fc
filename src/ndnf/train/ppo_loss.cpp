#include "ndnf/train/ppo_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ndnf/nn/elementary.h"
#include "ndnf/train/ppo.h"

namespace ndnf {
namespace {

/// The slope with respect to log π(a|s) is −A r / n unless clipping holds the ratio r fixed; with respect to
/// the raw output d_j it is that times ([j = a] − p_j).
template <class S>
void add_policy_loss(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& p, S smallest,
                     Slopes<S>& slopes, PpoLosses& losses) {
  const auto n = static_cast<double>(samples.size());
  for (std::size_t j = 0; j < samples.size(); ++j) {
    const S chance = p(samples.slot[j], samples.action[j]);
    const S safe = clamped(chance, smallest);
    const double ratio = static_cast<double>(safe) / static_cast<double>(samples.old_probability[j]);
    const double plain = -samples.advantage[j] * ratio;
    const double limited =
        -samples.advantage[j] * std::clamp(ratio, 1 - options.clip_coef, 1 + options.clip_coef);
    losses.policy += std::max(plain, limited) / n;
    losses.approx_kl += (ratio - 1 - logarithm(ratio)) / n;
    losses.clip_fraction += (std::abs(ratio - 1) > options.clip_coef ? 1 : 0) / n;
    const bool flat = safe != chance || plain < limited;
    if (!flat) slopes.raw(samples.slot[j], samples.action[j]) += static_cast<S>(plain / n);
  }
  for (std::size_t b = 0; b < p.rows(); ++b) {  // from log-probabilities to raw outputs
    S total = 0;
    for (std::size_t a = 0; a < p.cols(); ++a) total += slopes.raw(b, a);
    for (std::size_t a = 0; a < p.cols(); ++a) slopes.raw(b, a) -= p(b, a) * total;
  }
}

/// −c₂ S with S = −Σ p log p; through softmax, ∂S/∂d_j = p_j (g_j − Σ_k p_k g_k) with g_j = ∂S/∂p_j.
template <class S>
void add_entropy_bonus(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& p,
                       S smallest, Slopes<S>& slopes, PpoLosses& losses) {
  const auto n = static_cast<double>(samples.size());
  for (std::size_t b = 0; b < p.rows(); ++b) {
    S entropy = 0;
    S mean = 0;
    S g[kMaxActions];
    for (std::size_t a = 0; a < p.cols(); ++a) {
      const S chance = p(b, a);
      const S safe = clamped(chance, smallest);
      const S log_p = logarithm(safe);
      entropy -= chance * log_p;
      g[a] = -(log_p + (safe == chance ? S(1) : S(0)));
      mean += chance * g[a];
    }
    losses.entropy += static_cast<double>(entropy * samples.counts[b]) / n;
    const S weight = static_cast<S>(-options.ent_coef / n) * samples.counts[b];
    for (std::size_t a = 0; a < p.cols(); ++a) slopes.raw(b, a) += weight * p(b, a) * (g[a] - mean);
  }
}

/// c₁ · ½ mean max((V − R)², (V_clipped − R)²).
template <class S>
void add_value_loss(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& values,
                    Slopes<S>& slopes, PpoLosses& losses) {
  const auto n = static_cast<double>(samples.size());
  for (std::size_t j = 0; j < samples.size(); ++j) {
    const double target = static_cast<double>(samples.target[j]);
    const double old = static_cast<double>(samples.old_value[j]);
    const double change = static_cast<double>(values(samples.slot[j], 0)) - old;
    const double limited = std::clamp(change, -options.clip_coef, options.clip_coef);
    const double plain_error = old + change - target;
    const double limited_error = options.clip_vloss ? old + limited - target : plain_error;
    const bool use_limited = limited_error * limited_error > plain_error * plain_error;
    const double error = use_limited ? limited_error : plain_error;
    losses.value += 0.5 * error * error / n;
    const bool flat = use_limited && limited != change;
    if (!flat) slopes.values(samples.slot[j], 0) += static_cast<S>(options.vf_coef * error / n);
  }
}

}  // namespace

template <class S>
S smallest_probability(const ActorCritic<S>& network) {
  const bool dnf = std::holds_alternative<NeuralDnf<S>>(network.actor);
  return dnf ? std::numeric_limits<S>::epsilon() : std::numeric_limits<S>::min();
}

template <class S>
S clamped(S p, S smallest) {
  return std::min(std::max(p, smallest), S(1) - std::numeric_limits<S>::epsilon());
}

void normalise(std::span<double> advantages) {
  const auto n = static_cast<double>(advantages.size());
  double mean = 0;
  for (const double a : advantages) mean += a / n;
  double square = 0;
  for (const double a : advantages) square += (a - mean) * (a - mean);
  const double deviation = std::sqrt(square / (n - 1)) + 1e-8;
  for (double& a : advantages) a = (a - mean) / deviation;
}

template <class S>
PpoLosses add_ppo_losses(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& p,
                         const Matrix<S>& values, S smallest, Slopes<S>& slopes) {
  PpoLosses losses;
  add_policy_loss(options, samples, p, smallest, slopes, losses);
  add_entropy_bonus(options, samples, p, smallest, slopes, losses);
  add_value_loss(options, samples, values, slopes, losses);
  return losses;
}

#define NDNF_INSTANTIATE(S)                                                                    \
  template S smallest_probability(const ActorCritic<S>&);                                      \
  template S clamped(S, S);                                                                    \
  template PpoLosses add_ppo_losses(const PpoOptions&, const PpoSamples<S>&, const Matrix<S>&, \
                                    const Matrix<S>&, S, Slopes<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
