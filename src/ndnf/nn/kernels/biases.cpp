#include <limits>

#include "ndnf/nn/kernels/strip.h"
#include "ndnf/nn/kernels/variant.h"

namespace ndnf::kernel_sets::NDNF_KERNEL_SET {
namespace {

/// Eq. (1) for Width outputs from `first` on: Σ w, Σ|w| and the extreme |w| in one pass over their weights.
template <bool kLeast, std::size_t Width, class S>
void scan(std::size_t inputs, std::size_t outputs, const S* W, std::size_t first, S direction, S* value,
          S* sums, std::uint32_t* extremes) {
  using Block = Strip<S, Width>;
  using Part = typename Block::Part;
  const Part zero{};
  Block sum(S(0));
  Block size_sum(S(0));
  Block extreme(kLeast ? std::numeric_limits<S>::max() : S(0));
  Block input(S(0));  // index as S: exact for any layer that fits into memory
  Part number{};
  for (std::size_t i = 0; i < inputs; ++i, number += S(1)) {
    const Block w(W + i * outputs + first);
    for (std::size_t v = 0; v < Block::kCount; ++v) {
      const Part size = larger(w.part[v], -w.part[v]);
      const auto further = kLeast ? (size < extreme.part[v]) & (size > zero) : (size > extreme.part[v]);
      sum.part[v] += w.part[v];
      size_sum.part[v] += size;
      extreme.part[v] = further ? size : extreme.part[v];
      input.part[v] = further ? number : input.part[v];
    }
  }
  for (std::size_t v = 0; v < Block::kCount; ++v) {
    const Part bias = direction * (extreme.part[v] - size_sum.part[v]);
    extreme.part[v] = size_sum.part[v] == zero ? zero : bias;
  }
  S found[Width];
  input.write(found);
  for (std::size_t o = 0; o < Width; ++o)
    extremes[first + o] = static_cast<std::uint32_t>(static_cast<std::int32_t>(found[o]));
  sum.write(sums + first);
  extreme.write(value + first);
}

template <class S>
void bias_forward(std::size_t inputs, std::size_t outputs, const S* W, bool least, S direction, S* value,
                  S* sums, std::uint32_t* extreme) {
  for_strips<16, 2>(outputs, [=](auto width, std::size_t first) {
    if (least) {
      scan<true, width>(inputs, outputs, W, first, direction, value, sums, extreme);
    } else {
      scan<false, width>(inputs, outputs, W, first, direction, value, sums, extreme);
    }
  });
}

template <class S>
S sign(S w) {
  return static_cast<S>((w > 0) - (w < 0));
}

template <class S>
void bias_backward(std::size_t inputs, std::size_t outputs, const S* W, S direction,
                   const std::uint32_t* extreme, const S* dbeta, S share, S* dW) {
  for_strips<16, 2>(outputs, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    using Part = typename Block::Part;
    const Part zero{};
    const Block gradient(dbeta + first);
    for (std::size_t i = 0; i < inputs; ++i) {
      const Block w(W + i * outputs + first);
      Block dw(dW + i * outputs + first);
      for (std::size_t v = 0; v < Block::kCount; ++v) {
        const Part above = (share - direction) * gradient.part[v];
        const Part below = (share + direction) * gradient.part[v];
        const Part neither = share * gradient.part[v];
        dw.part[v] += w.part[v] > zero ? above : (w.part[v] < zero ? below : neither);
      }
      dw.write(dW + i * outputs + first);
    }
  });
  for (std::size_t o = 0; o < outputs; ++o) {
    const std::size_t at = extreme[o] * outputs + o;
    dW[at] += direction * dbeta[o] * sign(W[at]);
  }
}

template <class S>
void enter(Kernels<S>& kernels) {
  kernels.bias_forward = bias_forward;
  kernels.bias_backward = bias_backward;
}

}  // namespace

void enter_biases(Kernels<float>& floats, Kernels<double>& doubles) {
  enter(floats);
  enter(doubles);
}

}  // namespace ndnf::kernel_sets::NDNF_KERNEL_SET
