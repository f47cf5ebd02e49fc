#include "ndnf/distributions/free_bias.h"

#include <algorithm>
#include <cmath>

namespace ndnf {

double weight_for_bias(std::span<const double> weights, double b) {
  double sum = 0;
  double largest = 0;
  for (const double w : weights) {
    sum += std::abs(w);
    largest = std::max(largest, std::abs(w));
  }
  // Eq. (1) with S = Σ|w| and M = max|w|: with the additional weight a, the node's constant is a + (S + |a|)
  // − max(M, |a|). This is S + a if |a| is the largest weight, otherwise S − M + a + |a|. Both are solved for
  // a; the constant does not fall in a, so every b is reached.
  if (b < sum - largest || b > sum + largest) return b - sum;
  return (b - sum + largest) / 2;
}

NeuralDnf<double> affine_network(std::span<const Conjunction> conjunctions, const Matrix<double>& weights,
                                 std::span<const double> bias, std::size_t atom_count) {
  std::vector<Conjunction> all(1);
  all.insert(all.end(), conjunctions.begin(), conjunctions.end());
  NeuralDnf<double> network;
  network.activation = Activation::kStep;
  network.conjunctions = conjunctive_weights(all, atom_count);
  network.disjunctions = Matrix<double>(all.size(), bias.size());
  std::vector<double> column(conjunctions.size());
  for (std::size_t a = 0; a < bias.size(); ++a) {
    for (std::size_t k = 0; k < column.size(); ++k) {
      column[k] = network.disjunctions(k + 1, a) = weights(k, a);
    }
    network.disjunctions(0, a) = weight_for_bias(column, bias[a]);
  }
  return network;
}

}  // namespace ndnf
