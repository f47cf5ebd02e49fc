#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf::testing {

using Fraction = boost::multiprecision::cpp_rational;
using Fractions = std::vector<Fraction>;

/// Solves A x = b by Gauss's method; nothing if A is singular. The plainest way, for comparison.
inline std::optional<Fractions> solve(std::vector<Fractions> a, Fractions b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && a[pivot][k] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i][k] == 0) continue;
      const Fraction factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) b[k] /= a[k][k];
  return b;
}

/// The expected sum of gain(outcome), discounted, from each state of a model without a step limit; nothing if
/// the equations do not determine it.
template <class Gain>
std::optional<Fractions> endless_values(const FiniteModel& model, const PolicyTable& policy, double discount,
                                        Gain gain) {
  const std::size_t n = model.state_count();
  std::vector<Fractions> a(n, Fractions(n, 0));
  Fractions b(n, 0);
  for (StateId s = 0; s < n; ++s) {
    a[s][s] = 1;
    if (model.is_end(s)) continue;
    Fraction taken = 0;
    for (const double p : policy.row(model.observation(s))) taken += Fraction(p);
    for (ActionId action = 0; action < model.action_count(); ++action) {
      Fraction all = 0;
      for (const Outcome& o : model.outcomes(s, action)) all += Fraction(o.probability);
      for (const Outcome& o : model.outcomes(s, action)) {
        const Fraction p =
            Fraction(policy.row(model.observation(s))[action]) / taken * Fraction(o.probability) / all;
        b[s] += p * Fraction(gain(o));
        if (!o.terminal) a[s][o.next] -= p * Fraction(discount);
      }
    }
  }
  return solve(std::move(a), std::move(b));
}

inline Fraction from_starts(const FiniteModel& model, const Fractions& values) {
  Fraction sum = 0;
  Fraction all = 0;
  for (const Start& start : model.starts()) {
    sum += Fraction(start.probability) * values[start.state];
    all += Fraction(start.probability);
  }
  return sum / all;
}

/// `model` without its step limit, with this discount.
inline FiniteModel endless(const FiniteModel& model, double discount = 1) {
  FiniteModelData data;
  data.observations = model.shared_observations();
  for (StateId s = 0; s < model.state_count(); ++s) {
    data.observation.push_back(model.observation(s));
    for (ActionId a = 0; a < model.action_count(); ++a) data.add_row(model.outcomes(s, a));
  }
  data.starts.assign(model.starts().begin(), model.starts().end());
  data.tags = model.tags();
  data.labels = model.labels();
  data.discount = discount;
  return FiniteModel(std::move(data));
}

}  // namespace ndnf::testing
