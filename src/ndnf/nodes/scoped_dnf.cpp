#include "ndnf/nodes/scoped_dnf.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ndnf {
namespace {

Matrix<double> transposed(const Matrix<double>& W) {
  Matrix<double> T(W.cols(), W.rows());
  for (std::size_t r = 0; r < W.rows(); ++r) {
    for (std::size_t c = 0; c < W.cols(); ++c) T(c, r) = W(r, c);
  }
  return T;
}

}  // namespace

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
  for (std::size_t j = 0; j < action_count(); ++j) refresh_action(j, raw_);
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

void ScopedDnf::refresh_action(std::size_t j, RawOutputs& raw) const {
  std::fill_n(raw.row(j), raw.cols(), disjunctive_bias(j));
  for (std::size_t q = 0; q < conjunction_count(); ++q) {
    if (Wd_(j, q) == 0) continue;
    for (std::size_t k = 0; k < raw.cols(); ++k) raw(j, k) += Wd_(j, q) * c_(q, k);
  }
}

bool ScopedDnf::remove_conjunctive_edge(std::size_t q, std::size_t i, const OutputCheck& check) {
  const double w = std::exchange(Wc_(q, i), 0.0);
  const double beta = conjunctive_bias(q);
  const bool empty = is_empty(q);  // then the sum is 0, not what rounding left of it
  for (std::size_t k = 0; k < x_.cols(); ++k) {
    tried_sums_[k] = empty ? 0 : sums_(q, k) - w * x_(i, k);
    tried_c_[k] = activated(tried_sums_[k] + beta);
  }
  tried_ = raw_;
  for (std::size_t j = 0; j < action_count(); ++j) {
    if (Wd_(j, q) == 0) continue;
    for (std::size_t k = 0; k < x_.cols(); ++k) tried_(j, k) += Wd_(j, q) * (tried_c_[k] - c_(q, k));
  }
  if (!check(tried_)) {
    Wc_(q, i) = w;
    return false;
  }
  std::copy(tried_sums_.begin(), tried_sums_.end(), sums_.row(q));
  std::copy(tried_c_.begin(), tried_c_.end(), c_.row(q));
  std::swap(raw_, tried_);
  return true;
}

bool ScopedDnf::remove_disjunctive_edge(std::size_t j, std::size_t q, const OutputCheck& check) {
  const double w = std::exchange(Wd_(j, q), 0.0);
  tried_ = raw_;
  refresh_action(j, tried_);
  if (!check(tried_)) {
    Wd_(j, q) = w;
    return false;
  }
  std::swap(raw_, tried_);
  return true;
}

bool ScopedDnf::remove_uses(std::size_t q, const OutputCheck& check) {
  const Matrix<double> before = Wd_;
  tried_ = raw_;
  for (std::size_t j = 0; j < action_count(); ++j) {
    if (std::exchange(Wd_(j, q), 0.0) != 0) refresh_action(j, tried_);
  }
  if (!check(tried_)) {
    Wd_ = before;
    return false;
  }
  std::swap(raw_, tried_);
  return true;
}

void ScopedDnf::clear(std::size_t q) {
  std::fill_n(Wc_.row(q), input_count(), 0.0);
  std::fill_n(sums_.row(q), sums_.cols(), 0.0);
  refresh_conjunction(q);
}

std::vector<std::uint64_t> true_actions(const RawOutputs& raw) {
  std::vector<std::uint64_t> masks(raw.cols());
  for (std::size_t j = 0; j < raw.rows(); ++j) {
    for (std::size_t k = 0; k < raw.cols(); ++k) {
      if (raw(j, k) > 0) masks[k] |= std::uint64_t{1} << j;
    }
  }
  return masks;
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
