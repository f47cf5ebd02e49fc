#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// The inner loops of training, on plain arrays. They are compiled once per instruction set; the best set
// that the processor supports is selected at run time. All sets give bit-identical results: multiply-adds
// are fused in each, and every sum has a fixed order, independent of the register width.

namespace ndnf {

/// A matrix in memory with element (r, c) at data[r · row_step + c · col_step]; swapping the steps
/// transposes it.
template <class S>
struct View {
  const S* data;
  std::size_t row_step;
  std::size_t col_step;
};

/// The true atoms of each row: active[ends[b−1] … ends[b]).
struct AtomRows {
  const std::uint32_t* active;
  const std::size_t* ends;
  std::size_t rows;
};

/// The factors of one Adam step that are shared by all parameters.
template <class S>
struct AdamFactors {
  S beta1, rest1;  // rest1 = 1 − beta1
  S beta2, rest2;
  S scale;  // of the gradient
  S size;   // the learning rate, bias-corrected
  S root;   // the bias correction of √v
  S epsilon;
};

/// A layer of few outputs: its weights by columns (outputs, inputs), the gradients at its raw outputs
/// (rows, outputs), and where its weight gradient goes, by columns: `into` = `from` + …, or 0 + … if it is
/// null.
template <class S>
struct NarrowTop {
  std::size_t outputs;
  const S* columns;
  const S* dz;
  const S* from;
  S* into;
};

/// Samples of PPO's clipped policy loss.
template <class S>
struct PolicySamples {
  std::size_t count;
  const S* chance;      // the action's probability
  const S* old_chance;  // when it was taken
  const double* advantage;
  S smallest, largest;  // chances are clamped to these
  double clip;
  double share;  // of each sample in the mean
};

/// Samples of PPO's value loss. An infinite `clip` turns clipping off.
template <class S>
struct ValueSamples {
  std::size_t count;
  const S* value;
  const S* old_value;
  const S* target;
  double clip;
  double factor;  // of the loss in the gradient
  double share;   // of each sample in the mean
};

template <class S>
struct Kernels {
  /// C (rows, cols) = start + A (rows, depth) B (depth, cols), where row r of `start` is at start + r ·
  /// start_step, or 0 if `start` is null. Every sum runs over k in order.
  void (*product)(std::size_t rows, std::size_t depth, std::size_t cols, View<S> a, const S* b,
                  const S* start, std::size_t start_step, S* c);
  /// z[r · z_step] = bias + x(r, ·) w.  x (rows, n), w (n).
  void (*dots)(std::size_t rows, std::size_t n, const S* x, const S* w, S bias, S* z, std::size_t z_step);
  /// t (cols, rows) = the columns of m (rows, cols).
  void (*transpose)(std::size_t rows, std::size_t cols, const S* m, S* t);
  /// sums += the column sums of m (rows, cols).
  void (*add_column_sums)(std::size_t rows, std::size_t cols, const S* m, S* sums);

  /// z(b, ·) = bias + falsehood · sums + (1 − falsehood) · (sum of the active rows of W); bias may be null.
  void (*atoms_forward)(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias,
                        const S* sums, S* z);
  /// The same with y = tanh(gain · z).
  void (*atoms_tanh_forward)(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias,
                             const S* sums, S gain, S* y);
  /// dW(atom, ·) += truth · dz(b, ·) for each active atom of each row.
  void (*add_active)(AtomRows x, S truth, std::size_t outputs, const S* dz, S* dW);
  /// The same with dz = dy (1 − y²) · gain; sums = the column sums of dz.
  void (*atoms_tanh_backward)(AtomRows x, S truth, std::size_t outputs, const S* y, const S* dy, S gain,
                              S* dW, S* sums);
  /// The same with dy = start + top.dz topᵀ for a narrow layer above, whose weight gradient is computed as
  /// well. `start` may be null. REQUIRES: top.outputs is 1, 2 or 3, outputs a multiple of 4.
  void (*narrow_tanh_backward)(AtomRows x, S truth, std::size_t outputs, const S* y, const NarrowTop<S>& top,
                               const S* start, S gain, S* dW, S* sums);
  /// Each row of m (rows, cols) += factor · row.
  void (*add_to_all_rows)(std::size_t rows, std::size_t cols, S factor, const S* row, S* m);

  /// For each output of W (inputs, outputs): sums = Σ w; value = direction (extreme − Σ|w|), or 0 without
  /// weights; extreme = the first input with the largest |w| or, with `least`, with the smallest nonzero
  /// |w|.
  void (*bias_forward)(std::size_t inputs, std::size_t outputs, const S* W, bool least, S direction, S* value,
                       S* sums, std::uint32_t* extreme);
  /// dW += (share − direction sign(w)) dbeta, and at each output's extreme input += direction sign(w) dbeta.
  void (*bias_backward)(std::size_t inputs, std::size_t outputs, const S* W, S direction,
                        const std::uint32_t* extreme, const S* dbeta, S share, S* dW);

  // Elementwise on n numbers; results may overwrite the arguments unless stated otherwise.
  void (*tangents)(std::size_t n, const S* z, S* y);                      ///< y = tanh z
  void (*tanh_gradients)(std::size_t n, const S* y, const S* dy, S* dz);  ///< dz = dy (1 − y²)
  void (*ramp_gradients)(std::size_t n, const S* y, const S* dy, S* dz);  ///< dz = dy where y > 0, else 0
  void (*exponentials)(std::size_t n, const S* x, S* y);                  ///< y = e^x
  void (*logarithms)(std::size_t n, const S* x, S* y);                    ///< y = ln x
  /// One Adam step; the gradient is 0 afterwards. Arrays must not overlap.
  void (*adam_step)(const AdamFactors<S>& factors, std::size_t n, S* gradient, S* first, S* second,
                    S* weights);
  /// Σ g².
  double (*squared_norm)(std::size_t n, const S* g);
  /// Eq. (6): Σ |w (6 − |w|)|; adds scale times its gradient to dw.
  double (*weight_losses)(std::size_t n, const S* w, S scale, S* dw);
  /// Eq. (8) for raw outputs d with probabilities p: the loss and its gradients with respect to d and p,
  /// treated as independent. Arrays must not overlap.
  void (*bivalence)(std::size_t n, const S* d, const S* p, S* loss, S* dd, S* dp);
  /// Per sample: the derivative of L^CLIP with respect to log π, its value, r − 1 − ln r for the ratio r, and
  /// `share` where r is outside 1 ± clip. Arrays must not overlap, here and below.
  void (*policy_terms)(const PolicySamples<S>& samples, S* gradient, double* loss, double* divergence,
                       double* clipped);
  /// Per sample: the derivative of ½ max((V − R)², (V_clipped − R)²) with respect to V, and its value.
  void (*value_terms)(const ValueSamples<S>& samples, S* gradient, double* loss);
};

/// All kernels for one instruction set.
struct KernelSet {
  std::string_view name;
  Kernels<float> floats;
  Kernels<double> doubles;
};

/// The sets that this processor can run, slowest first: v1, v3, v4, named after the x86-64 levels. On other
/// architectures there is only v1, compiled for the baseline processor.
std::vector<KernelSet> usable_kernel_sets();

/// The set in use: the last of them, or the one named by the environment variable NDNF_KERNELS. Throws Error
/// if there is no such set.
const KernelSet& kernel_set();

template <class S>
const Kernels<S>& kernels();

}  // namespace ndnf
