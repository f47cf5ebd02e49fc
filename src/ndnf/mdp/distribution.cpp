#include "ndnf/mdp/distribution.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ndnf {

std::size_t most_probable(std::span<const double> p) {
  return static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
}

double largest_difference(std::span<const double> p, std::span<const double> q) {
  double largest = 0;
  for (std::size_t a = 0; a < p.size(); ++a) largest = std::max(largest, std::abs(p[a] - q[a]));
  return largest;
}

double kl_divergence(std::span<const double> p, std::span<const double> q, double least) {
  double sum = 0;
  for (std::size_t a = 0; a < p.size(); ++a) {
    if (p[a] > 0) sum += p[a] * std::log(p[a] / std::max(q[a], least));
  }
  return sum;
}

}  // namespace ndnf
