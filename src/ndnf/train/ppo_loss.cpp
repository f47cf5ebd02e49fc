#include "ndnf/train/ppo_loss.h"

#include <algorithm>
#include <cmath>

#include "ndnf/nn/activation.h"
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
  S chances[kGroup], gradients[kGroup];
  double terms[kGroup], divergences[kGroup], clipped[kGroup];
  for (std::size_t begin = 0; begin < samples.size(); begin += kGroup) {
    const std::size_t count = std::min(kGroup, samples.size() - begin);
    for (std::size_t k = 0; k < count; ++k)
      chances[k] = p(samples.slot[begin + k], samples.action[begin + k]);
    kernels<S>().policy_terms(
        {count, chances, samples.old_probability.data() + begin, samples.advantage.data() + begin, smallest,
         kLargestProbability<S>, options.clip_coef, share},
        gradients, terms, divergences, clipped);
    for (std::size_t k = 0; k < count; ++k) {
      losses.policy += terms[k];
      losses.approx_kl += divergences[k];
      losses.clip_fraction += clipped[k];
      output_gradients.raw(samples.slot[begin + k], samples.action[begin + k]) += gradients[k];
    }
  }
  with_constant(p.cols(), [&](auto actions) {  // from log-probabilities to raw outputs
    for (std::size_t b = 0; b < p.rows(); ++b) {
      const S* chance = p.row(b);
      S* raw = output_gradients.raw.row(b);
      S total = 0;
      for (std::size_t a = 0; a < actions; ++a) total += raw[a];
      for (std::size_t a = 0; a < actions; ++a) raw[a] -= chance[a] * total;
    }
  });
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
    with_constant(actions, [&](auto number) {
      for (std::size_t b = begin; b < end; ++b) {
        S* g = surprise + (b - begin) * number;
        const S* chance = p.row(b);
        S* raw = output_gradients.raw.row(b);
        S entropy = 0;
        S mean = 0;
        for (std::size_t a = 0; a < number; ++a) {
          entropy += chance[a] * g[a];
          g[a] -= clamped(chance[a], smallest) == chance[a] ? S(1) : S(0);
          mean += chance[a] * g[a];
        }
        losses.entropy += static_cast<double>(entropy * samples.counts[b]) * share;
        const S weight = static_cast<S>(-options.ent_coef * share) * samples.counts[b];
        for (std::size_t a = 0; a < number; ++a) raw[a] += weight * chance[a] * (g[a] - mean);
      }
    });
  }
}

/// c₁ · ½ mean max((V − R)², (V_clipped − R)²).
template <class S>
void add_value_loss(const PpoOptions& options, const PpoSamples<S>& samples, const Matrix<S>& values,
                    OutputGradients<S>& output_gradients, PpoLosses& losses) {
  const double share = 1 / static_cast<double>(samples.size());
  const double clip = options.clip_vloss ? options.clip_coef : std::numeric_limits<double>::infinity();
  S own[kGroup], gradients[kGroup];
  double terms[kGroup];
  for (std::size_t begin = 0; begin < samples.size(); begin += kGroup) {
    const std::size_t count = std::min(kGroup, samples.size() - begin);
    for (std::size_t k = 0; k < count; ++k) own[k] = values(samples.slot[begin + k], 0);
    kernels<S>().value_terms({count, own, samples.old_value.data() + begin, samples.target.data() + begin,
                              clip, options.vf_coef, share},
                             gradients, terms);
    for (std::size_t k = 0; k < count; ++k) {
      losses.value += terms[k];
      output_gradients.values(samples.slot[begin + k], 0) += gradients[k];
    }
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
