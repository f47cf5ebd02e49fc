#include "ndnf/nn/kernels/kernels.h"

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "ndnf/base/fingerprint.h"
#include "ndnf/base/random.h"

namespace ndnf {
namespace {

/// Records, bit for bit, the results of one kernel set for random numbers.
template <class S>
class Recorder {
 public:
  explicit Recorder(const Kernels<S>& kernels) : k_(kernels) {}

  std::string record(std::size_t rows, std::size_t inputs, std::size_t outputs) {
    record_products(rows, inputs, outputs);
    record_atoms(rows, inputs, outputs);
    record_biases(rows, inputs, outputs);
    record_elements(inputs * outputs);
    record_losses(inputs * outputs);
    return record_;
  }

 private:
  using Numbers = std::vector<S>;

  Numbers draw(std::size_t n, double scale = 1) {
    Numbers numbers(n);
    for (S& x : numbers) x = static_cast<S>(scale * random_.normal());
    return numbers;
  }

  void write(const Numbers& numbers) {
    record_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(S));
  }

  Numbers column_sums(std::size_t rows, std::size_t cols, const Numbers& m) {
    Numbers sums(cols);
    k_.add_column_sums(rows, cols, m.data(), sums.data());
    return sums;
  }

  void record_products(std::size_t rows, std::size_t inputs, std::size_t outputs) {
    const Numbers x = draw(rows * inputs), W = draw(inputs * outputs), bias = draw(outputs);
    Numbers z(rows * outputs);
    k_.product(rows, inputs, outputs, {x.data(), inputs, 1}, W.data(), bias.data(), 0, z.data());
    write(z);
    Numbers dW = draw(inputs * outputs);
    k_.product(inputs, rows, outputs, {x.data(), 1, inputs}, z.data(), dW.data(), outputs, dW.data());
    write(dW);
    Numbers columns(W.size());
    k_.transpose(inputs, outputs, W.data(), columns.data());
    write(columns);
    Numbers dots(rows * 3);
    k_.dots(rows, inputs, x.data(), columns.data(), bias[0], dots.data() + 1, 3);
    write(dots);
    Numbers sums = draw(outputs);
    k_.add_column_sums(inputs, outputs, W.data(), sums.data());
    write(sums);
  }

  void record_atoms(std::size_t rows, std::size_t inputs, std::size_t outputs) {
    std::vector<std::uint32_t> active;
    std::vector<std::size_t> ends;
    for (std::size_t b = 0; b < rows; ++b) {
      for (std::size_t n = b % 4; n > 0; --n)
        active.push_back(random_.below(static_cast<std::uint32_t>(inputs)));
      ends.push_back(active.size());
    }
    const AtomRows atoms{active.data(), ends.data(), rows};
    const Numbers W = draw(inputs * outputs), bias = draw(outputs), sums = draw(outputs);
    Numbers z(rows * outputs);
    k_.atoms_forward(atoms, S(-1), outputs, W.data(), bias.data(), sums.data(), z.data());
    write(z);
    k_.atoms_forward(atoms, S(0), outputs, W.data(), nullptr, sums.data(), z.data());
    write(z);
    Numbers dW = draw(inputs * outputs), dbias = draw(outputs);
    k_.add_active(atoms, S(2), outputs, z.data(), dW.data());
    const Numbers dz = column_sums(rows, outputs, z);
    k_.add_column_sums(1, outputs, dz.data(), dbias.data());
    k_.add_to_all_rows(inputs, outputs, S(-1), dz.data(), dW.data());
    write(dW);
    write(dbias);
  }

  void record_biases(std::size_t rows, std::size_t inputs, std::size_t outputs) {
    Numbers W = draw(inputs * outputs);
    for (std::size_t i = 0; i < W.size(); i += 5) W[i] = i % 2 == 0 ? S(0) : S(-0.0);
    for (const bool least : {false, true}) {
      Numbers value(outputs), sums(outputs), dz = draw(rows * outputs), dW = draw(inputs * outputs);
      std::vector<std::uint32_t> extreme(outputs);
      k_.bias_forward(inputs, outputs, W.data(), least, S(0.7), value.data(), sums.data(), extreme.data());
      k_.bias_backward(inputs, outputs, W.data(), S(0.7), extreme.data(),
                       column_sums(rows, outputs, dz).data(), S(-1), dW.data());
      write(value);
      write(sums);
      write(dW);
    }
  }

  void record_elements(std::size_t n) {
    const Numbers x = draw(n, 10);
    Numbers y(n), gradients(n);
    k_.tangents(n, x.data(), y.data());
    write(y);
    k_.tanh_gradients(n, y.data(), x.data(), gradients.data());
    write(gradients);
    k_.exponentials(n, x.data(), y.data());
    write(y);
    k_.logarithms(n, y.data(), y.data());
    write(y);
  }

  void record_losses(std::size_t n) {
    Numbers g = draw(n), m = draw(n, 0.1), v(n), w = draw(n, 4);
    for (std::size_t i = 0; i < n; ++i) v[i] = m[i] * m[i];
    m[0] = std::numeric_limits<S>::denorm_min() * 3;  // denormal numbers are preserved
    g[0] = 0;
    Numbers gradients = draw(n);
    write({static_cast<S>(k_.squared_norm(n, g.data())),
           static_cast<S>(k_.weight_losses(n, w.data(), S(0.1), gradients.data()))});
    write(gradients);
    k_.adam_step({S(0.9), S(0.1), S(0.999), S(0.001), S(0.5), S(0.01), S(1.3), S(1e-5)}, n, g.data(),
                 m.data(), v.data(), w.data());
    for (const Numbers& numbers : {g, m, v, w}) write(numbers);
    const Numbers d = draw(n, 3), p = draw(n, 0.2);
    Numbers loss(n), dd(n), dp(n);
    k_.bivalence(n, d.data(), p.data(), loss.data(), dd.data(), dp.data());
    for (const Numbers& numbers : {loss, dd, dp}) write(numbers);
  }

  const Kernels<S>& k_;
  RandomSequence random_{RandomStream(7, 0)};
  std::string record_;
};

/// The results of a kernel set for layers of many shapes.
template <class S>
std::string fingerprint_of(const Kernels<S>& kernels) {
  Fingerprint fingerprint;
  for (const std::size_t rows : {1u, 3u, 8u, 13u}) {
    for (const std::size_t inputs : {1u, 7u, 16u, 45u}) {
      for (const std::size_t outputs : {1u, 2u, 5u, 16u, 31u, 64u})
        fingerprint.add(Recorder(kernels).record(rows, inputs, outputs));
    }
  }
  return fingerprint.hex();
}

TEST(Kernels, EverySetGivesTheSameBytesOnEveryMachine) {
  const std::vector<KernelSet> sets = usable_kernel_sets();
  EXPECT_EQ(sets[0].name, "v1");
  for (const KernelSet& set : sets) {
    EXPECT_EQ(fingerprint_of(set.floats), "576d72d20e8abb57") << set.name;
    EXPECT_EQ(fingerprint_of(set.doubles), "cdeba5a6316ca71e") << set.name;
  }
}

TEST(Kernels, TheBestSetIsUsedUnlessAnotherIsNamed) {
  const char* const named = std::getenv("NDNF_KERNELS");
  EXPECT_EQ(kernel_set().name, named == nullptr ? usable_kernel_sets().back().name : named);
}

}  // namespace
}  // namespace ndnf
