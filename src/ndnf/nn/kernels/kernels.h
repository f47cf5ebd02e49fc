#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// The loops that training spends its time in, on plain arrays. They are compiled once per instruction set,
// and the best one that this processor has is chosen when the program starts. All sets give the same bytes:
// multiply-adds are fused in each, and every sum has one order, whatever the width of registers.

namespace ndnf {

/// A matrix in memory, element (r, c) at data[r · row_step + c · col_step]: plain or, with steps exchanged,
/// transposed.
template <class S>
struct View {
  const S* data;
  std::size_t row_step;
  std::size_t col_step;
};

/// The true atoms of each row, active[ends[b−1] … ends[b]).
struct AtomRows {
  const std::uint32_t* active;
  const std::size_t* ends;
  std::size_t rows;
};

/// What one step of Adam does to every parameter alike.
template <class S>
struct AdamFactors {
  S beta1, rest1;  // rest1 = 1 − beta1
  S beta2, rest2;
  S scale;  // of the gradient
  S size;   // the rate, corrected
  S root;   // the correction of √v
  S epsilon;
};

template <class S>
struct Kernels {
  /// C (rows, cols) = start + A (rows, depth) B (depth, cols), where row r of `start` is at start + r ·
  /// start_step. Every sum runs over k in order.
  void (*product)(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b,
                  const S* start, std::size_t start_step, S* c);
  /// z[r · z_step] = bias + x(r, ·) w.  x (rows, n), w (n).
  void (*dots)(std::size_t rows, std::size_t n, const S* x, const S* w, S bias, S* z, std::size_t z_step);
  /// t (cols, rows) = the columns of m (rows, cols).
  void (*transpose)(std::size_t rows, std::size_t cols, const S* m, S* t);
  /// sums += the column sums of m (rows, cols).
  void (*add_column_sums)(std::size_t rows, std::size_t cols, const S* m, S* sums);

  /// z(b, ·) = bias + falsehood · sums + (1 − falsehood) · (sum of the active rows of W), bias may be null.
  void (*atoms_forward)(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias,
                        const S* sums, S* z);
  /// dW(atom, ·) += truth · dz(b, ·) for each active atom of each row.
  void (*add_active)(AtomRows x, S truth, std::size_t outputs, const S* dz, S* dW);
  /// For the column sums s of dz (rows, cols): dbias += s unless it is null, and, unless factor is 0, every
  /// one of the W_rows rows of dW += factor · s.
  void (*add_to_all_rows)(std::size_t rows, std::size_t cols, const S* dz, S* dbias, S factor,
                          std::size_t W_rows, S* dW);

  /// For each output of W (inputs, outputs): sums = Σ w, value = direction (extreme − Σ|w|) or 0 without
  /// weights, extreme = the first input with the largest |w| or, with `least`, the smallest that is not 0.
  void (*bias_forward)(std::size_t inputs, std::size_t outputs, const S* W, bool least, S direction, S* value,
                       S* sums, std::uint32_t* extreme);
  /// For dbeta, the column sums of dz (rows, outputs): dW += (share − direction sign(w)) dbeta, and at each
  /// output's extreme input += direction sign(w) dbeta.
  void (*bias_backward)(std::size_t inputs, std::size_t outputs, const S* W, S direction,
                        const std::uint32_t* extreme, std::size_t rows, const S* dz, S share, S* dW);

  // Element by element, n of them; results may lie where arguments do unless said otherwise.
  void (*tangents)(std::size_t n, const S* z, S* y);                      ///< y = tanh z
  void (*tangent_slopes)(std::size_t n, const S* y, const S* dy, S* dz);  ///< dz = dy (1 − y²)
  void (*exponentials)(std::size_t n, const S* x, S* y);                  ///< y = e^x
  void (*logarithms)(std::size_t n, const S* x, S* y);                    ///< y = ln x
  /// One step of Adam; afterwards the gradient is 0. Arrays do not overlap.
  void (*adam_step)(const AdamFactors<S>& factors, std::size_t n, S* gradient, S* first, S* second,
                    S* weights);
  /// Σ g².
  double (*squared_norm)(std::size_t n, const S* g);
  /// Eq. (6): Σ |w (6 − |w|)|; adds scale times its slope to dw.
  double (*weight_losses)(std::size_t n, const S* w, S scale, S* dw);
  /// Eq. (8) for raw outputs d with probabilities p: the loss and its slopes in d and in p, taken as
  /// independent. Arrays do not overlap.
  void (*bivalence)(std::size_t n, const S* d, const S* p, S* loss, S* dd, S* dp);
};

/// All kernels for one instruction set.
struct KernelSet {
  std::string_view name;
  Kernels<float> floats;
  Kernels<double> doubles;
};

/// The sets that this processor can run, the slowest first: v1, v3, v4, named after the levels of x86-64.
/// Elsewhere there is only v1, which is compiled for every processor of its kind.
std::vector<KernelSet> usable_kernel_sets();

/// The set in use: the last of them, or the one that the environment variable NDNF_KERNELS names. Throws
/// Error if it names none.
const KernelSet& kernel_set();

template <class S>
const Kernels<S>& kernels();

}  // namespace ndnf
