#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "ndnf/base/elementary.h"
#include "ndnf/base/random.h"
#include "ndnf/nn/kernels/kernels.h"

// Kernels that do the work of several in one pass give the bytes that those give one after the other, in
// every set.

namespace ndnf {
namespace {

template <class S>
using Values = std::vector<S>;

template <class S>
class Fused : public ::testing::Test {
 protected:
  Values<S> draw(std::size_t n, double scale = 1) {
    Values<S> numbers(n);
    for (S& x : numbers) x = static_cast<S>(scale * random_.normal());
    return numbers;
  }
  /// Rows of 0 to 3 true atoms.
  AtomRows draw_atoms(std::size_t rows, std::size_t inputs) {
    active_.clear();
    ends_.clear();
    for (std::size_t b = 0; b < rows; ++b) {
      for (std::size_t n = b % 4; n > 0; --n)
        active_.push_back(random_.below(static_cast<std::uint32_t>(inputs)));
      ends_.push_back(active_.size());
    }
    return {active_.data(), ends_.data(), rows};
  }

  RandomSequence random_{RandomStream(3, 0)};
  std::vector<std::uint32_t> active_;
  std::vector<std::size_t> ends_;
};

template <class S>
Kernels<S> of(const KernelSet& set) {
  if constexpr (std::is_same_v<S, float>) {
    return set.floats;
  } else {
    return set.doubles;
  }
}

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Fused, Scalars);

constexpr std::size_t kInputs = 11;
constexpr std::size_t kRows[] = {1, 3, 13};
constexpr std::size_t kOutputs[] = {4, 12, 16, 64, 100};

TYPED_TEST(Fused, TanhOfAtomsIsThatOfTheirSums) {
  using S = TypeParam;
  for (const KernelSet& set : usable_kernel_sets()) {
    const Kernels<S> k = of<S>(set);
    for (const std::size_t outputs : {1u, 2u, 7u, 16u, 64u, 100u}) {
      const AtomRows x = this->draw_atoms(13, kInputs);
      const auto W = this->draw(kInputs * outputs), bias = this->draw(outputs), sums = this->draw(outputs, 3);
      Values<S> apart(13 * outputs), fused(13 * outputs);
      for (const S gain : {S(1), S(2.5)}) {
        k.atoms_forward(x, S(-1), outputs, W.data(), bias.data(), sums.data(), apart.data());
        for (S& z : apart) z *= gain;
        k.tangents(apart.size(), apart.data(), apart.data());
        k.atoms_tanh_forward(x, S(-1), outputs, W.data(), bias.data(), sums.data(), gain, fused.data());
        EXPECT_EQ(fused, apart) << set.name << " " << outputs;
        for (std::size_t i = 0; i < fused.size(); ++i) EXPECT_LE(std::abs(fused[i]), 1);
      }
    }
  }
}

TYPED_TEST(Fused, GradientBelowTanhIsThatOfItsSteps) {
  using S = TypeParam;
  for (const KernelSet& set : usable_kernel_sets()) {
    const Kernels<S> k = of<S>(set);
    for (const std::size_t outputs : {1u, 2u, 7u, 16u, 64u, 100u}) {
      const AtomRows x = this->draw_atoms(13, kInputs);
      const auto y = this->draw(13 * outputs, 0.5), dy = this->draw(13 * outputs);
      const S gain(1.5);
      auto dz = dy;
      k.tanh_gradients(dz.size(), y.data(), dz.data(), dz.data());
      for (S& g : dz) g *= gain;
      const auto before = this->draw(kInputs * outputs);
      auto apart = before, fused = before;
      Values<S> sums(outputs, S(0)), fused_sums(outputs, S(7));
      k.add_active(x, S(2), outputs, dz.data(), apart.data());
      k.add_column_sums(13, outputs, dz.data(), sums.data());
      k.atoms_tanh_backward(x, S(2), outputs, y.data(), dy.data(), gain, fused.data(), fused_sums.data());
      EXPECT_EQ(fused, apart) << set.name << " " << outputs;
      EXPECT_EQ(fused_sums, sums) << set.name << " " << outputs;
    }
  }
}

TYPED_TEST(Fused, GradientBelowANarrowLayerIsThatOfItsSteps) {
  using S = TypeParam;
  for (const KernelSet& set : usable_kernel_sets()) {
    const Kernels<S> k = of<S>(set);
    for (const std::size_t rows : kRows) {
      for (const std::size_t outputs : kOutputs) {
        for (const std::size_t top : {1u, 2u, 3u}) {
          SCOPED_TRACE(::testing::Message() << set.name << ": " << rows << ", " << outputs << ", " << top);
          const AtomRows x = this->draw_atoms(rows, kInputs);
          const auto y = this->draw(rows * outputs, 0.5), columns = this->draw(top * outputs);
          const auto dz = this->draw(rows * top), start = this->draw(rows * outputs);
          const auto before = this->draw(kInputs * outputs), own_before = this->draw(top * outputs);
          for (const bool adds : {false, true}) {
            auto dy = start, own = own_before, apart = before, fused = before, fused_own = own_before;
            k.product(rows, top, outputs, {dz.data(), top, 1}, columns.data(), adds ? start.data() : nullptr,
                      outputs, dy.data());
            k.product(top, rows, outputs, {dz.data(), 1, top}, y.data(), adds ? own.data() : nullptr, outputs,
                      own.data());
            Values<S> sums(outputs), fused_sums(outputs);
            k.atoms_tanh_backward(x, S(2), outputs, y.data(), dy.data(), S(1.5), apart.data(), sums.data());
            const NarrowTop<S> layer{top, columns.data(), dz.data(), adds ? own_before.data() : nullptr,
                                     fused_own.data()};
            k.narrow_tanh_backward(x, S(2), outputs, y.data(), layer, adds ? start.data() : nullptr, S(1.5),
                                   fused.data(), fused_sums.data());
            EXPECT_EQ(fused, apart);
            EXPECT_EQ(fused_own, own);
            EXPECT_EQ(fused_sums, sums);
          }
        }
      }
    }
  }
}

TYPED_TEST(Fused, ProductsOfManyRowsAreThoseOfFewRowsEach) {
  using S = TypeParam;
  for (const KernelSet& set : usable_kernel_sets()) {
    const Kernels<S> k = of<S>(set);
    for (const std::size_t depth : {0u, 1u, 255u, 256u, 257u, 600u}) {
      constexpr std::size_t kTall = 55, kCols = 37;
      const auto a = this->draw(kTall * depth), b = this->draw(depth * kCols), c = this->draw(kTall * kCols);
      for (const bool adds : {false, true}) {
        Values<S> whole = c, parts = c;
        k.product(kTall, depth, kCols, {a.data(), depth, 1}, b.data(), adds ? whole.data() : nullptr, kCols,
                  whole.data());
        for (std::size_t r = 0; r < kTall; ++r)
          k.product(1, depth, kCols, {a.data() + r * depth, depth, 1}, b.data(),
                    adds ? parts.data() + r * kCols : nullptr, kCols, parts.data() + r * kCols);
        EXPECT_EQ(whole, parts) << set.name << " " << depth;
      }
    }
  }
}

TYPED_TEST(Fused, RampGradientsPassWhereTheOutputIsPositive) {
  using S = TypeParam;
  for (const KernelSet& set : usable_kernel_sets()) {
    for (std::size_t n = 0; n < 40; ++n) {
      auto y = this->draw(n);
      const auto dy = this->draw(n);
      for (S& x : y) x = std::max(x, S(0));
      Values<S> dz(n), expected(n);
      of<S>(set).ramp_gradients(n, y.data(), dy.data(), dz.data());
      for (std::size_t i = 0; i < n; ++i) expected[i] = y[i] > 0 ? dy[i] : S(0);
      EXPECT_EQ(dz, expected) << set.name << " " << n;
    }
  }
}

/// The formula, number by number.
template <class S>
void plain_adam(const AdamFactors<S>& f, S& g, S& m, S& v, S& w) {
  const S slope = f.scale * g;
  m = f.beta1 * m + f.rest1 * slope;
  v = f.beta2 * v + f.rest2 * slope * slope;
  w -= f.size * m / (std::sqrt(v) * f.root + f.epsilon);
  g = 0;
}

TYPED_TEST(Fused, AdamIsThePlainFormulaToTheBit) {
  using S = TypeParam;
  const AdamFactors<S> factors{S(0.9), S(0.1), S(0.999), S(0.001), S(0.37), S(0.01), S(1.3), S(1e-5)};
  for (const KernelSet& set : usable_kernel_sets()) {
    for (std::size_t n = 0; n < 70; ++n) {
      auto g = this->draw(n), m = this->draw(n, 0.1), v = this->draw(n), w = this->draw(n);
      for (std::size_t i = 0; i < n; ++i) v[i] *= v[i];
      for (std::size_t i = 0; i < n; i += 3) g[i] = m[i] = v[i] = 0;  // as of locked weights: these stay
      auto g2 = g, m2 = m, v2 = v, w2 = w;
      const auto before = w;
      of<S>(set).adam_step(factors, n, g.data(), m.data(), v.data(), w.data());
      for (std::size_t i = 0; i < n; ++i) plain_adam(factors, g2[i], m2[i], v2[i], w2[i]);
      EXPECT_EQ(g, Values<S>(n, S(0))) << set.name << " " << n;
      EXPECT_EQ(m, m2) << set.name << " " << n;
      EXPECT_EQ(v, v2) << set.name << " " << n;
      EXPECT_EQ(w, w2) << set.name << " " << n;
      for (std::size_t i = 0; i < n; i += 3) EXPECT_EQ(w[i], before[i]);
    }
  }
}

TYPED_TEST(Fused, PolicyTermsFollowThePapersFormula) {
  using S = TypeParam;
  const S smallest = std::numeric_limits<S>::epsilon();
  const S largest = S(1) - smallest;
  constexpr std::size_t kSamples = 37;
  constexpr double kClip = 0.2, kShare = 1.0 / kSamples;
  Values<S> chance(kSamples), old(kSamples);
  Values<double> advantage(kSamples);
  for (std::size_t j = 0; j < kSamples; ++j) {
    chance[j] =
        j % 9 == 0 ? S(0) : (j % 9 == 1 ? S(1) : static_cast<S>(0.05 + 0.9 * this->random_.uniform()));
    old[j] = static_cast<S>(0.05 + 0.9 * this->random_.uniform());
    advantage[j] = this->random_.normal();
  }
  for (const KernelSet& set : usable_kernel_sets()) {
    Values<S> gradient(kSamples);
    Values<double> loss(kSamples), divergence(kSamples), clipped(kSamples);
    of<S>(set).policy_terms(
        {kSamples, chance.data(), old.data(), advantage.data(), smallest, largest, kClip, kShare},
        gradient.data(), loss.data(), divergence.data(), clipped.data());
    for (std::size_t j = 0; j < kSamples; ++j) {
      const S safe = std::clamp(chance[j], smallest, largest);
      const double ratio = static_cast<double>(safe) / static_cast<double>(old[j]);
      const double plain = -advantage[j] * ratio;
      const double limited = -advantage[j] * std::clamp(ratio, 1 - kClip, 1 + kClip);
      const bool flat = safe != chance[j] || plain < limited;
      EXPECT_EQ(loss[j], std::max(plain, limited) * kShare) << set.name << " " << j;
      EXPECT_EQ(divergence[j], (ratio - 1 - logarithm(ratio)) * kShare) << set.name << " " << j;
      EXPECT_EQ(clipped[j], std::abs(ratio - 1) > kClip ? kShare : 0) << set.name << " " << j;
      EXPECT_EQ(gradient[j], flat ? S(0) : static_cast<S>(plain * kShare)) << set.name << " " << j;
    }
  }
}

TYPED_TEST(Fused, ValueTermsFollowTheClippedLoss) {
  using S = TypeParam;
  constexpr std::size_t kSamples = 37;
  constexpr double kShare = 1.0 / kSamples, kFactor = 0.7;
  const auto value = this->draw(kSamples), old = this->draw(kSamples, 0.5), target = this->draw(kSamples);
  for (const KernelSet& set : usable_kernel_sets()) {
    for (const double clip : {0.2, std::numeric_limits<double>::infinity()}) {
      Values<S> gradient(kSamples);
      Values<double> loss(kSamples);
      of<S>(set).value_terms({kSamples, value.data(), old.data(), target.data(), clip, kFactor, kShare},
                             gradient.data(), loss.data());
      for (std::size_t j = 0; j < kSamples; ++j) {
        const double before = static_cast<double>(old[j]), goal = static_cast<double>(target[j]);
        const double change = static_cast<double>(value[j]) - before;
        const double held = std::clamp(change, -clip, clip);
        const double plain = before + change - goal, limited = before + held - goal;
        const bool use_limited = limited * limited > plain * plain;
        const double error = use_limited ? limited : plain;
        const bool flat = use_limited && held != change;
        EXPECT_EQ(loss[j], 0.5 * error * error * kShare) << set.name << " " << j;
        EXPECT_EQ(gradient[j], flat ? S(0) : static_cast<S>(kFactor * error * kShare))
            << set.name << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace ndnf
