#include "ndnf/update/losses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <variant>

#include "ndnf/nn/kernels/kernels.h"

namespace ndnf {
namespace {

template <class S>
S sign(S x) {
  return x > 0 ? S(1) : (x < 0 ? S(-1) : S(0));
}

constexpr std::size_t kSums = 8;  // independent sums, so that the loop vectorises

/// The mean of loss(x) over the entries of m, where row b counts as counts[b] samples; adds factor times its
/// gradient to `gradient`, which may be empty if the factor is 0.
template <class S, class Loss, class Derivative>
double add_mean(const Matrix<S>& m, std::span<const S> counts, double samples, double factor,
                Matrix<S>& gradient, Loss loss, Derivative derivative) {
  const double entries = samples * static_cast<double>(m.cols());
  const S scale = static_cast<S>(factor / entries);
  std::array<S, kSums> sums{};
  for (std::size_t b = 0; b < m.rows(); ++b) {
    const S* x = m.row(b);
    std::size_t j = 0;
    for (; j + kSums <= m.cols(); j += kSums) {
      for (std::size_t k = 0; k < kSums; ++k) sums[k] += counts[b] * loss(x[j + k]);
    }
    for (; j < m.cols(); ++j) sums[0] += counts[b] * loss(x[j]);
    if (factor == 0) continue;
    S* out = gradient.row(b);
    for (j = 0; j < m.cols(); ++j) out[j] += scale * counts[b] * derivative(x[j]);
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0) / entries;
}

/// Eq. (5): invented predicates should be 1 or −1.
template <class S>
double add_l1(const Matrix<S>& f, std::span<const S> counts, double samples, double factor,
              Matrix<S>& gradient) {
  return add_mean(
      f, counts, samples, factor, gradient, [](S x) { return std::abs(std::abs(x) - 1); },
      [](S x) { return sign(std::abs(x) - 1) * sign(x); });
}

template <class S>
double add_weight_losses(const Matrix<S>& W, S scale, Matrix<S>& dW) {
  return kernels<S>().weight_losses(W.size(), W.row(0), scale, dW.row(0));
}

/// Eq. (6): weights should be 0, 6 or −6.
template <class S>
double add_l2(const NeuralDnf<S>& dnf, bool all, double factor, NeuralDnf<S>& gradient) {
  const auto count = static_cast<double>(dnf.disjunctions.size() + (all ? dnf.conjunctions.size() : 0));
  const S scale = static_cast<S>(factor / count);
  double total = add_weight_losses(dnf.disjunctions, scale, gradient.disjunctions);
  if (all) total += add_weight_losses(dnf.conjunctions, scale, gradient.conjunctions);
  return total / count;
}

/// Eq. (7): conjunctions should be 1 or −1.
template <class S>
double add_l3(const Matrix<S>& c, std::span<const S> counts, double samples, double factor,
              Matrix<S>& gradient) {
  return add_mean(
      c, counts, samples, factor, gradient, [](S x) { return 1 - std::abs(x); },
      [](S x) { return -sign(x); });
}

/// Forbidden actions already have p = 0; this removes their remaining terms.
template <class S>
void leave_out_forbidden(std::span<const std::uint64_t> allowed, std::size_t actions, S* loss, S* dd) {
  for (std::size_t k = 0; k < allowed.size() * actions; ++k) {
    if ((allowed[k / actions] >> k % actions & 1) == 0) loss[k] = dd[k] = S(0);
  }
}

/// Eq. (8), summed over samples: the truth value of each raw output d, (tanh d + 1)/2, should equal its
/// probability p = softmax(d). The gradient also flows through p, as in the reference.
template <class S>
double add_l4(const Matrix<S>& d, const Matrix<S>& p, std::span<const S> counts, double factor,
              std::span<const std::uint64_t> allowed, Matrix<S>& gradient) {
  constexpr std::size_t kGroup = 256;  // numbers processed at a time
  static_assert(kMaxActions <= kGroup);
  S loss[kGroup];
  S dd[kGroup];
  S dp[kGroup];
  const std::size_t actions = d.cols();
  double total = 0;
  for (std::size_t begin = 0; begin < d.rows(); begin += kGroup / actions) {
    const std::size_t end = std::min(begin + kGroup / actions, d.rows());
    kernels<S>().bivalence((end - begin) * actions, d.row(begin), p.row(begin), loss, dd, dp);
    if (!allowed.empty()) leave_out_forbidden(allowed.subspan(begin, end - begin), actions, loss, dd);
    for (std::size_t b = begin, k = 0; b < end; ++b, k += actions) {
      S mean = 0;
      S sum = 0;
      for (std::size_t a = 0; a < actions; ++a) {
        mean += p(b, a) * dp[k + a];
        sum += loss[k + a];
      }
      const S weight = static_cast<S>(factor) * counts[b];
      for (std::size_t a = 0; a < actions; ++a)
        gradient(b, a) += weight * (dd[k + a] + p(b, a) * (dp[k + a] - mean));
      total += static_cast<double>(counts[b] * sum);
    }
  }
  return total;
}

}  // namespace

ConfigTable<LossOptions> losses_config() {
  constexpr double kMostFactor = 1000;
  return ConfigTable<LossOptions>()
      .real("embedding_reg_lambda", &LossOptions::embedding_reg_lambda, 0, kMostFactor,
            "Factor of L1, which pulls the encoder's outputs towards 1 or -1.")
      .real("dis_weight_reg_lambda", &LossOptions::dis_weight_reg_lambda, 0, kMostFactor,
            "Factor of L2, which pulls a neural DNF's weights towards 0, 6 or -6.")
      .real("conj_tanh_out_reg_lambda", &LossOptions::conj_tanh_out_reg_lambda, 0, kMostFactor,
            "Factor of L3, which pulls the conjunctions towards 1 or -1.")
      .real("mt_lambda", &LossOptions::mt_lambda, 0, kMostFactor,
            "Factor of L4, which pulls each action's truth value towards its probability.")
      .real("literal_lambda", &LossOptions::literal_lambda, 0, kMostFactor,
            "How fast conjunctions lose literals: after every step of size r all their weights except the "
            "largest move towards 0 by r times this.")
      .choice("dis_weight_reg_on", &LossOptions::dis_weight_reg_on, {"disjunctive", "all"},
              "The weights that L2 covers: the disjunctive layer's, or all.")
      .choice("mt_reduction", &LossOptions::mt_reduction, {"sum", "mean"},
              "Whether L4 is summed over a minibatch or averaged; it is summed over the actions.")
      .flag("wait_for_delta", &LossOptions::wait_for_delta,
            "Whether these losses start only once delta has been 1 for wait_minibatches.")
      .integer("wait_minibatches", &LossOptions::wait_minibatches, 0, 1000000000,
               "Minibatches at delta 1 before these losses start, with wait_for_delta.");
}

template <class S>
AuxiliaryLosses add_auxiliary_losses(const LossOptions& options, const ActorCritic<S>& network,
                                     const Activations<S>& activations, std::span<const S> counts,
                                     double samples, OutputGradients<S>& output_gradients,
                                     ActorCritic<S>& gradient, std::span<const std::uint64_t> allowed) {
  AuxiliaryLosses losses;
  if (!reads_atoms(network.encoder) && has_encoder(network.encoder)) {
    losses.l1 = add_l1(activations.encoder.f, counts, samples, options.embedding_reg_lambda,
                       output_gradients.features);
  }
  const auto* dnf = std::get_if<NeuralDnf<S>>(&network.actor);
  if (dnf == nullptr) return losses;
  const DnfActivations<S>& a = activations.dnf;
  losses.l2 = add_l2(*dnf, options.dis_weight_reg_on == "all", options.dis_weight_reg_lambda,
                     std::get<NeuralDnf<S>>(gradient.actor));
  losses.l3 = add_l3(a.c, counts, samples, options.conj_tanh_out_reg_lambda, output_gradients.conjunctions);
  const double share = options.mt_reduction == "mean" ? 1 / samples : 1;
  losses.l4 = share * add_l4(dnf->exactly_one ? a.out : a.d, activations.p, counts, share * options.mt_lambda,
                             allowed, output_gradients.raw);
  return losses;
}

#define NDNF_INSTANTIATE(S)                                                                         \
  template AuxiliaryLosses add_auxiliary_losses(                                                    \
      const LossOptions&, const ActorCritic<S>&, const Activations<S>&, std::span<const S>, double, \
      OutputGradients<S>&, ActorCritic<S>&, std::span<const std::uint64_t>);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
