#include "ndnf/nodes/scoped_dnf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace ndnf {
namespace {

constexpr std::size_t kMostSuspects = 64;

Matrix<double> transposed(const Matrix<double>& W) {
  Matrix<double> T(W.cols(), W.rows());
  for (std::size_t r = 0; r < W.rows(); ++r) {
    for (std::size_t c = 0; c < W.cols(); ++c) T(c, r) = W(r, c);
  }
  return T;
}

}  // namespace

bool OutputCheck::operator()(const RawOutputs& raw) const {
  for (std::size_t k = 0; at && k < raw.cols(); ++k) {
    if (!at(raw, k)) return false;
  }
  return !as_a_whole || as_a_whole(raw);
}

ScopedDnf::ScopedDnf(const NeuralDnf<double>& dnf, double falsehood, const Scope& scope)
    : Wc_(transposed(dnf.conjunctions)),
      Wd_(transposed(dnf.disjunctions)),
      bias_(dnf.bias),
      activation_(dnf.activation),
      exactly_one_(dnf.exactly_one),
      delta_(dnf.delta),
      x_(dnf.conjunctions.rows(), scope.size()),
      sums_(Wc_.rows(), scope.size()),
      c_(Wc_.rows(), scope.size()),
      raw_(Wd_.rows(), scope.size()),
      tried_(Wd_.rows(), scope.size()),
      tried_sums_(scope.size()),
      tried_c_(scope.size()) {
  std::vector<double> atoms(input_count());
  for (std::size_t k = 0; k < scope.size(); ++k) {
    scope.table().write_atoms<double>(scope.observations()[k], falsehood, atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) x_(i, k) = atoms[i];
  }
  for (std::size_t q = 0; q < conjunction_count(); ++q) {
    for (std::size_t i = 0; i < input_count(); ++i) {
      if (Wc_(q, i) == 0) continue;
      for (std::size_t k = 0; k < x_.cols(); ++k) sums_(q, k) += Wc_(q, i) * x_(i, k);
    }
    refresh_conjunction(q);
  }
  for (std::size_t j = 0; j < action_count(); ++j) {
    const double bias = disjunctive_bias(j);
    for (std::size_t k = 0; k < raw_.cols(); ++k) raw_(j, k) = output(j, bias, k);
  }
}

NeuralDnf<double> ScopedDnf::dnf() const {
  NeuralDnf<double> dnf;
  dnf.conjunctions = transposed(Wc_);
  dnf.disjunctions = transposed(Wd_);
  dnf.bias = bias_;
  dnf.activation = activation_;
  dnf.exactly_one = exactly_one_;
  dnf.delta = delta_;
  return dnf;
}

bool ScopedDnf::is_empty(std::size_t q) const {
  return std::all_of(Wc_.row(q), Wc_.row(q) + input_count(), [](double w) { return w == 0; });
}

bool ScopedDnf::is_used(std::size_t q) const {
  for (std::size_t j = 0; j < action_count(); ++j) {
    if (Wd_(j, q) != 0) return true;
  }
  return false;
}

double ScopedDnf::conjunctive_bias(std::size_t q) const {
  return logical_bias({Wc_.row(q), input_count()}, NodeType::kConjunction, bias_, delta_);
}

double ScopedDnf::disjunctive_bias(std::size_t j) const {
  return logical_bias({Wd_.row(j), conjunction_count()}, NodeType::kDisjunction, bias_, delta_);
}

double ScopedDnf::activated(double z) const {
  return activation_ == Activation::kStep ? (z >= 0 ? 1.0 : -1.0) : std::tanh(z);
}

void ScopedDnf::refresh_conjunction(std::size_t q) {
  const double beta = conjunctive_bias(q);
  for (std::size_t k = 0; k < c_.cols(); ++k) c_(q, k) = activated(sums_(q, k) + beta);
}

double ScopedDnf::output(std::size_t j, double bias, std::size_t k) const {
  double sum = bias;
  for (std::size_t q = 0; q < conjunction_count(); ++q) {
    if (Wd_(j, q) != 0) sum += Wd_(j, q) * c_(q, k);
  }
  return sum;
}

// try_at(k) computes the changed outputs of an observation into tried_ and returns whether they differ. Most
// changes are rejected, and mostly by an observation that has rejected another before: those are looked at
// first. What does not differ was accepted before.
template <class TryAt>
bool ScopedDnf::accepts(const OutputCheck& check, TryAt try_at) {
  const auto rejects = [&](std::size_t k) { return check.at && !check.at(tried_, k); };
  for (auto k = suspects_.rbegin(); k != suspects_.rend(); ++k) {
    if (try_at(*k) && rejects(*k)) return false;
  }
  changed_.clear();
  for (std::size_t k = 0; k < raw_.cols(); ++k) {
    if (!try_at(k)) continue;
    changed_.push_back(k);
    if (!rejects(k)) continue;
    if (suspects_.size() == kMostSuspects) suspects_.erase(suspects_.begin());
    suspects_.push_back(k);
    return false;
  }
  if (!check.as_a_whole) return true;
  RawOutputs whole = raw_;
  for (const std::size_t k : changed_) {
    for (std::size_t j = 0; j < action_count(); ++j) whole(j, k) = tried_(j, k);
  }
  return check.as_a_whole(whole);
}

void ScopedDnf::take_changed_outputs() {
  for (const std::size_t k : changed_) {
    for (std::size_t j = 0; j < action_count(); ++j) raw_(j, k) = tried_(j, k);
  }
}

bool ScopedDnf::remove_conjunctive_edge(std::size_t q, std::size_t i, const OutputCheck& check) {
  const double w = std::exchange(Wc_(q, i), 0.0);
  const double beta = conjunctive_bias(q);
  const bool empty = is_empty(q);  // then the sum is 0, not what rounding left of it
  const bool accepted = accepts(check, [&](std::size_t k) {
    tried_sums_[k] = empty ? 0 : sums_(q, k) - w * x_(i, k);
    tried_c_[k] = activated(tried_sums_[k] + beta);
    if (tried_c_[k] == c_(q, k)) return false;
    for (std::size_t j = 0; j < action_count(); ++j)
      tried_(j, k) = Wd_(j, q) == 0 ? raw_(j, k) : raw_(j, k) + Wd_(j, q) * (tried_c_[k] - c_(q, k));
    return true;
  });
  if (!accepted) {
    Wc_(q, i) = w;
    return false;
  }
  std::copy(tried_sums_.begin(), tried_sums_.end(), sums_.row(q));
  std::copy(tried_c_.begin(), tried_c_.end(), c_.row(q));
  take_changed_outputs();
  return true;
}

bool ScopedDnf::remove_edges(std::size_t q, std::span<const std::size_t> actions, const OutputCheck& check) {
  std::vector<double> before;
  std::vector<double> biases;
  for (const std::size_t j : actions) {
    before.push_back(std::exchange(Wd_(j, q), 0.0));
    biases.push_back(disjunctive_bias(j));
  }
  const bool accepted = accepts(check, [&](std::size_t k) {
    for (std::size_t j = 0; j < action_count(); ++j) tried_(j, k) = raw_(j, k);
    for (std::size_t n = 0; n < actions.size(); ++n) {
      if (before[n] != 0) tried_(actions[n], k) = output(actions[n], biases[n], k);
    }
    return true;
  });
  if (accepted) {
    take_changed_outputs();
  } else {
    for (std::size_t n = 0; n < actions.size(); ++n) Wd_(actions[n], q) = before[n];
  }
  return accepted;
}

bool ScopedDnf::remove_disjunctive_edge(std::size_t j, std::size_t q, const OutputCheck& check) {
  return remove_edges(q, std::array{j}, check);
}

bool ScopedDnf::remove_uses(std::size_t q, const OutputCheck& check) {
  std::vector<std::size_t> all(action_count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return remove_edges(q, all, check);
}

void ScopedDnf::clear(std::size_t q) {
  std::fill_n(Wc_.row(q), input_count(), 0.0);
  std::fill_n(sums_.row(q), sums_.cols(), 0.0);
  refresh_conjunction(q);
}

std::uint64_t true_actions(const RawOutputs& raw, std::size_t observation) {
  std::uint64_t mask = 0;
  for (std::size_t j = 0; j < raw.rows(); ++j) {
    if (raw(j, observation) > 0) mask |= std::uint64_t{1} << j;
  }
  return mask;
}

void probabilities(const RawOutputs& raw, std::size_t observation, std::vector<double>& p) {
  p.resize(raw.rows());
  double largest = raw(0, observation);
  for (std::size_t j = 1; j < p.size(); ++j) largest = std::max(largest, raw(j, observation));
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += p[j] = std::exp(raw(j, observation) - largest);
  for (double& value : p) value /= sum;
}

}  // namespace ndnf
