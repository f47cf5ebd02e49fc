#include "ndnf/model/thresholds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/nn/activation.h"

namespace ndnf {
namespace {

/// The directions of the linear atoms, at length 1.
template <class S>
void set_units(const Thresholds<S>& thresholds, ThresholdActivations<S>& a) {
  const Matrix<S>& W = thresholds.directions;
  a.units.reshape(W.rows(), W.cols());
  a.length.assign(W.cols(), S(0));
  for (std::size_t i = 0; i < W.rows(); ++i) {
    for (std::size_t l = 0; l < W.cols(); ++l) a.length[l] += W(i, l) * W(i, l);
  }
  constexpr S kShortest = S(1e-6);
  for (S& length : a.length) length = std::max(std::sqrt(length), kShortest);
  for (std::size_t i = 0; i < W.rows(); ++i) {
    for (std::size_t l = 0; l < W.cols(); ++l) a.units(i, l) = W(i, l) / a.length[l];
  }
}

/// An atom that always holds: the first compared quantity is above less than its least.
NumericLiteral always(std::uint32_t quantity, const Vocabulary& vocabulary) {
  return {{{{quantity, 1}}, std::int64_t{vocabulary.quantities()[quantity].grid->lowest} - 1}, true};
}

/// What stays of a direction: (number, factor) for numbers as they are.
template <class S>
std::vector<RealTerm> terms_of(const Thresholds<S>& thresholds, std::size_t l, const Scaled& scale) {
  constexpr double kLeastShare = 0.05;
  double largest = 0;
  for (std::size_t i = 0; i < thresholds.compared.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(thresholds.directions(i, l))));
  std::vector<RealTerm> terms;
  for (std::size_t i = 0; i < thresholds.compared.size(); ++i) {
    const auto w = static_cast<double>(thresholds.directions(i, l));
    const std::uint32_t number = thresholds.compared[i];
    if (w != 0 && std::abs(w) >= kLeastShare * largest) terms.push_back({number, w * scale.factors[number]});
  }
  return terms;
}

template <class S>
double length_of(const Thresholds<S>& thresholds, std::size_t l) {
  double square = 0;
  for (std::size_t i = 0; i < thresholds.compared.size(); ++i) {
    const auto w = static_cast<double>(thresholds.directions(i, l));
    square += w * w;
  }
  return std::sqrt(square);
}

}  // namespace

std::vector<std::uint64_t> to_words(const Comparisons& comparisons) {
  std::vector<std::uint64_t> words;
  for (const auto& [comparison, positive] : comparisons.literals) {
    words.insert(words.end(), {comparison.terms.size(), static_cast<std::uint64_t>(comparison.bound),
                               comparison.equal ? 1u : 0u, positive ? 1u : 0u});
    for (const auto& [quantity, coefficient] : comparison.terms)
      words.insert(words.end(), {quantity, static_cast<std::uint64_t>(coefficient)});
  }
  return words;
}

Comparisons comparisons_from(std::string_view where, std::span<const std::uint64_t> words,
                             const Vocabulary& vocabulary) {
  constexpr std::size_t kHead = 4;
  Comparisons comparisons;
  while (!words.empty()) {
    if (words.size() < kHead || words[0] > (words.size() - kHead) / 2)
      throw Error(where, "its comparisons are incomplete");
    NumericLiteral literal{{{}, static_cast<std::int64_t>(words[1]), words[2] != 0}, words[3] != 0};
    for (std::size_t i = 0; i < words[0]; ++i) {
      const std::uint64_t quantity = std::min<std::uint64_t>(words[kHead + 2 * i], kComparisonLimit);
      literal.comparison.terms.push_back(
          {static_cast<std::uint32_t>(quantity), static_cast<std::int64_t>(words[kHead + 2 * i + 1])});
    }
    if (!is_well_formed(literal.comparison, vocabulary))
      throw Error(where, "has a comparison that is not one");
    words = words.subspan(kHead + 2 * literal.comparison.terms.size());
    comparisons.literals.push_back(std::move(literal));
  }
  return comparisons;
}

void truth_values(const Comparisons& comparisons, const ObservationTable& table, ObsId obs,
                  std::vector<bool>& holds) {
  const std::vector<Quantity>& quantities = table.vocabulary().quantities();
  const std::span<const float> numbers = table.dense(obs);
  holds.resize(comparisons.literals.size());
  for (std::size_t i = 0; i < holds.size(); ++i) {
    const NumericLiteral& literal = comparisons.literals[i];
    std::int64_t sum = 0;
    for (const auto& [quantity, coefficient] : literal.comparison.terms) {
      const auto& grid = quantities[quantity].grid;
      if (!grid) throw Error("", fmt::format("the quantity {} has no quantum", quantities[quantity].name));
      sum += coefficient * grid->place(numbers[quantity]);
    }
    const std::int64_t bound = literal.comparison.bound;
    holds[i] = (literal.comparison.equal ? sum == bound : sum > bound) == literal.positive;
  }
}

template <class S>
void forward(const Thresholds<S>& thresholds, const Matrix<S>& x, ThresholdActivations<S>& a, Matrix<S>& f) {
  const auto gain = static_cast<S>(thresholds.gain);
  const std::size_t single = thresholds.bounds.cols();
  const std::size_t linear = thresholds.linear_bounds.cols();
  set_units(thresholds, a);
  f.reshape(x.rows(), thresholds.outputs());
  for (std::size_t b = 0; b < x.rows(); ++b) {
    const S* row = x.row(b);
    S* z = f.row(b);
    for (std::size_t j = 0; j < single; ++j)
      z[j] = gain * (row[thresholds.compared_by(j)] - thresholds.bounds(0, j));
    for (std::size_t l = 0; l < linear; ++l) {
      S sum = -thresholds.linear_bounds(0, l);
      for (std::size_t i = 0; i < thresholds.compared.size(); ++i)
        sum += a.units(i, l) * row[thresholds.compared[i]];
      z[single + l] = gain * sum;
    }
    z[single + linear] = S(0);
  }
  tanh_forward(f, f);
  for (std::size_t b = 0; b < x.rows(); ++b) f(b, single + linear) = S(1);
}

// With u = w / |w| the gradient at w is that at u without its part along u, divided by |w|.
template <class S>
void backward(const Thresholds<S>& thresholds, const Matrix<S>& x, ThresholdActivations<S>& a,
              const Matrix<S>& f, const Matrix<S>& df, Thresholds<S>& gradient) {
  const auto gain = static_cast<S>(thresholds.gain);
  const std::size_t single = thresholds.bounds.cols();
  const std::size_t linear = thresholds.linear_bounds.cols();
  const std::size_t compared = thresholds.compared.size();
  tanh_backward(f, df, a.dz);
  Matrix<S> du(compared, linear);
  for (std::size_t b = 0; b < x.rows(); ++b) {
    const S* dz = a.dz.row(b);
    for (std::size_t j = 0; j < single; ++j) gradient.bounds(0, j) -= gain * dz[j];
    for (std::size_t l = 0; l < linear; ++l) gradient.linear_bounds(0, l) -= gain * dz[single + l];
    for (std::size_t i = 0; i < compared; ++i) {
      const S scaled = gain * x(b, thresholds.compared[i]);
      for (std::size_t l = 0; l < linear; ++l) du(i, l) += scaled * dz[single + l];
    }
  }
  for (std::size_t l = 0; l < linear; ++l) {
    S along = 0;
    for (std::size_t i = 0; i < compared; ++i) along += a.units(i, l) * du(i, l);
    for (std::size_t i = 0; i < compared; ++i)
      gradient.directions(i, l) += (du(i, l) - along * a.units(i, l)) / a.length[l];
  }
}

// x' = (x − m) f is above t where x − m is above t / f. The same holds for a sum of such terms.
template <class S>
Comparisons hardened(const Thresholds<S>& thresholds, const Scaled& given, const Vocabulary& vocabulary) {
  Scaled scale = given;
  scale.means.resize(thresholds.numbers, 0);
  scale.factors.resize(thresholds.numbers, 1);
  Comparisons result;
  for (std::size_t j = 0; j < thresholds.bounds.cols(); ++j) {
    const std::uint32_t number = thresholds.compared_by(j);
    const double bound = static_cast<double>(thresholds.bounds(0, j)) / scale.factors[number];
    result.literals.push_back(whole_literal({{number, 1}}, scale.means, bound, vocabulary));
  }
  for (std::size_t l = 0; l < thresholds.linear_bounds.cols(); ++l) {
    std::vector<RealTerm> terms = terms_of(thresholds, l, scale);
    const double bound = static_cast<double>(thresholds.linear_bounds(0, l)) * length_of(thresholds, l);
    result.literals.push_back(terms.empty()
                                  ? always(thresholds.compared.front(), vocabulary)
                                  : whole_literal(std::move(terms), scale.means, bound, vocabulary));
  }
  result.literals.push_back(always(thresholds.compared.front(), vocabulary));
  return result;
}

#define NDNF_INSTANTIATE(S)                                                                                  \
  template void forward(const Thresholds<S>&, const Matrix<S>&, ThresholdActivations<S>&, Matrix<S>&);       \
  template void backward(const Thresholds<S>&, const Matrix<S>&, ThresholdActivations<S>&, const Matrix<S>&, \
                         const Matrix<S>&, Thresholds<S>&);                                                  \
  template Comparisons hardened(const Thresholds<S>&, const Scaled&, const Vocabulary&);
NDNF_INSTANTIATE(float)
NDNF_INSTANTIATE(double)
#undef NDNF_INSTANTIATE

}  // namespace ndnf
