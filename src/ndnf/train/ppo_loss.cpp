#include "ndnf/train/ppo_loss.h"

#include <algorithm>
#include <cmath>

#include "ndnf/nn/kernels/kernels.h"
#include "ndnf/train/ppo.h"

namespace ndnf {
namespace {

/// Samples or rows are processed in groups of this many numbers: the logarithms of a group are one
/// vectorised loop.
constexpr std::size_t kGroup = 256;
static_assert(kMaxActions <= kGroup);

/// L^CLIP = −mean min(r A, clip(r, 1 ± ε) A). Its derivative with respect to log π(a|s) is −A r / n, or 0
/// where clipping holds the ratio r fixed; with respect to the raw output d_j it is that times ([j = a] −
/// p_j).
template <class S>
void add_policy_loss(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& p, S smallest,
                     OutputGradients<S>& output_gradients, PpoLosses& losses) {
  const double share = 1 / static_cast<double>(samples.size());
  double ratios[kGroup];
  double logarithms[kGroup];
  for (std::size_t begin = 0; begin < samples.size(); begin += kGroup) {
    const std::size_t count = std::min(kGroup, samples.size() - begin);
    for (std::size_t k = 0; k < count; ++k) {
      const S safe = clamped(p(samples.slot[begin + k], samples.action[begin + k]), smallest);
      ratios[k] = static_cast<double>(safe) / static_cast<double>(samples.old_probability[begin + k]);
    }
    kernels<double>().logarithms(count, ratios, logarithms);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t j = begin + k;
      const double ratio = ratios[k];
      const double plain = -samples.advantage[j] * ratio;
      const double limited =
          -samples.advantage[j] * std::clamp(ratio, 1 - options.clip_coef, 1 + options.clip_coef);
      losses.policy += std::max(plain, limited) * share;
      losses.approx_kl += (ratio - 1 - logarithms[k]) * share;
      losses.clip_fraction += std::abs(ratio - 1) > options.clip_coef ? share : 0;
      const S chance = p(samples.slot[j], samples.action[j]);
      const bool flat = clamped(chance, smallest) != chance || plain < limited;
      output_gradients.raw(samples.slot[j], samples.action[j]) += flat ? S(0) : static_cast<S>(plain * share);
    }
  }
  for (std::size_t b = 0; b < p.rows(); ++b) {  // from log-probabilities to raw outputs
    S total = 0;
    for (std::size_t a = 0; a < p.cols(); ++a) total += output_gradients.raw(b, a);
    for (std::size_t a = 0; a < p.cols(); ++a) output_gradients.raw(b, a) -= p(b, a) * total;
  }
}

/// −c₂ S with S = −Σ p log p; through softmax, ∂S/∂d_j = p_j (g_j − Σ_k p_k g_k) with g_j = ∂S/∂p_j.
template <class S>
void add_entropy_bonus(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& p,
                       S smallest, OutputGradients<S>& output_gradients, PpoLosses& losses) {
  const double share = 1 / static_cast<double>(samples.size());
  const std::size_t actions = p.cols();
  S surprise[kGroup];  // −log p of the clamped probabilities
  for (std::size_t begin = 0; begin < p.rows(); begin += kGroup / actions) {
    const std::size_t end = std::min(begin + kGroup / actions, p.rows());
    const S* chances = p.row(begin);
    const std::size_t count = (end - begin) * actions;
    for (std::size_t k = 0; k < count; ++k) surprise[k] = clamped(chances[k], smallest);
    kernels<S>().logarithms(count, surprise, surprise);
    for (std::size_t k = 0; k < count; ++k) surprise[k] = -surprise[k];
    for (std::size_t b = begin; b < end; ++b) {
      S* g = surprise + (b - begin) * actions;
      S entropy = 0;
      S mean = 0;
      for (std::size_t a = 0; a < actions; ++a) {
        const S chance = p(b, a);
        entropy += chance * g[a];
        g[a] -= clamped(chance, smallest) == chance ? S(1) : S(0);
        mean += chance * g[a];
      }
      losses.entropy += static_cast<double>(entropy * samples.counts[b]) * share;
      const S weight = static_cast<S>(-options.ent_coef * share) * samples.counts[b];
      for (std::size_t a = 0; a < actions; ++a)
        output_gradients.raw(b, a) += weight * p(b, a) * (g[a] - mean);
    }
  }
}

/// c₁ · ½ mean max((V − R)², (V_clipped − R)²).
template <class S>
void add_value_loss(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& values,
                    OutputGradients<S>& output_gradients, PpoLosses& losses) {
  const double share = 1 / static_cast<double>(samples.size());
  for (std::size_t j = 0; j < samples.size(); ++j) {
    const double target = static_cast<double>(samples.target[j]);
    const double old = static_cast<double>(samples.old_value[j]);
    const double change = static_cast<double>(values(samples.slot[j], 0)) - old;
    const double limited = std::clamp(change, -options.clip_coef, options.clip_coef);
    const double plain_error = old + change - target;
    const double limited_error = options.clip_vloss ? old + limited - target : plain_error;
    const bool use_limited = limited_error * limited_error > plain_error * plain_error;
    const double error = use_limited ? limited_error : plain_error;
    losses.value += 0.5 * error * error * share;
    const bool flat = use_limited && limited != change;
    output_gradients.values(samples.slot[j], 0) +=
        flat ? S(0) : static_cast<S>(options.vf_coef * error * share);
  }
}

}  // namespace

template <class S>
S smallest_probability(const ActorCritic<S>& network) {
  const bool dnf = std::holds_alternative<NeuralDnf<S>>(network.actor);
  return dnf ? std::numeric_limits<S>::epsilon() : std::numeric_limits<S>::min();
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
                         const Matrix<S>& values, S smallest, OutputGradients<S>& output_gradients) {
  PpoLosses losses;
  add_policy_loss(options, samples, p, smallest, output_gradients, losses);
  add_entropy_bonus(options, samples, p, smallest, output_gradients, losses);
  add_value_loss(options, samples, values, output_gradients, losses);
  return losses;
}

#define NDNF_INSTANTIATE(S)                                                                    \
  template S smallest_probability(const ActorCritic<S>&);                                      \
  template PpoLosses add_ppo_losses(const PpoOptions&, const PpoSamples<S>&, const Matrix<S>&, \
                                    const Matrix<S>&, S, OutputGradients<S>&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
