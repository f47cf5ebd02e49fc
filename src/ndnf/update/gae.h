#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ndnf {

struct GaeOptions {
  std::size_t walkers;
  double gamma;
  double lambda;
};

/// Generalised advantage estimation (Schulman et al., 2016) over samples t · walkers + n; truncation counts
/// as termination, as in the reference. `ended[i]` says whether step i ended an episode, `next_values`
/// (walkers) are the critic's values after the last step. returns = advantages + values.
template <class S>
void generalised_advantages(const GaeOptions& options, std::span<const double> rewards,
                            std::span<const S> values, std::span<const std::uint8_t> ended,
                            std::span<const S> next_values, std::vector<S>& advantages,
                            std::vector<S>& returns);

/// 1 − Var(returns − values) / Var(returns): 1 for a perfect critic, 0 for a constant one.
template <class S>
double explained_variance(std::span<const S> values, std::span<const S> returns);

}  // namespace ndnf
