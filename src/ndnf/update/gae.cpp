#include "ndnf/update/gae.h"

namespace ndnf {

// Backward in time: the TD error r + γ V' − V, plus γλ times the next step's advantage, unless the episode
// ended.
template <class S>
void generalised_advantages(const GaeOptions& options, std::span<const double> rewards,
                            std::span<const S> values, std::span<const std::uint8_t> ended,
                            std::span<const S> next_values, std::vector<S>& advantages,
                            std::vector<S>& returns) {
  const std::size_t n = options.walkers;
  advantages.resize(values.size());
  returns.resize(values.size());
  for (std::size_t i = values.size(); i-- > 0;) {
    const bool last = i + n >= values.size();
    const double alive = ended[i] != 0 ? 0 : 1;
    const double next = static_cast<double>(last ? next_values[i + n - values.size()] : values[i + n]);
    const double later = last ? 0 : static_cast<double>(advantages[i + n]);
    const double surprise = rewards[i] + options.gamma * next * alive - static_cast<double>(values[i]);
    advantages[i] = static_cast<S>(surprise + options.gamma * options.lambda * alive * later);
    returns[i] = advantages[i] + values[i];
  }
}

template <class S>
double explained_variance(std::span<const S> values, std::span<const S> returns) {
  const auto variance = [&](auto at) {
    double sum = 0;
    double square = 0;
    const auto n = static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += at(i);
      square += at(i) * at(i);
    }
    return square / n - sum / n * sum / n;
  };
  const double total = variance([&](std::size_t i) { return static_cast<double>(returns[i]); });
  const double left = variance([&](std::size_t i) { return static_cast<double>(returns[i] - values[i]); });
  return total == 0 ? 0 : 1 - left / total;
}

#define NDNF_INSTANTIATE(S)                                                                                \
  template void generalised_advantages(const GaeOptions&, std::span<const double>, std::span<const S>,     \
                                       std::span<const std::uint8_t>, std::span<const S>, std::vector<S>&, \
                                       std::vector<S>&);                                                   \
  template double explained_variance(std::span<const S>, std::span<const S>);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
