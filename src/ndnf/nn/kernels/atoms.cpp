#include "ndnf/nn/kernels/strip.h"
#include "ndnf/nn/kernels/variant.h"

// Layers over atoms: a row of the batch reads and changes only the rows of its true atoms.

namespace ndnf::kernel_sets::NDNF_KERNEL_SET {
namespace {

constexpr std::size_t kWide = 32;  // widest strip: the rows of true atoms are looked up once per strip

template <bool kTangents, class S>
void atoms_forward_as(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias, const S* sums,
                      S gain, S* z) {
  const S truth = 1 - falsehood;
  for_strips<kWide>(outputs, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    Block base = bias == nullptr ? Block(S(0)) : Block(bias + first);
    add_scaled(falsehood, Block(sums + first), base);
    for (std::size_t b = 0, k = 0; b < x.rows; ++b) {
      Block sum = base;
      for (; k < x.ends[b]; ++k) add_scaled(truth, Block(W + x.active[k] * outputs + first), sum);
      if constexpr (kTangents) {
        for (auto& part : sum.part) part *= gain;
        to_tangents(sum);
      }
      sum.write(z + b * outputs + first);
    }
  });
}

template <class S>
void atoms_forward(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias, const S* sums,
                   S* z) {
  atoms_forward_as<false>(x, falsehood, outputs, W, bias, sums, S(1), z);
}
template <class S>
void atoms_tanh_forward(AtomRows x, S falsehood, std::size_t outputs, const S* W, const S* bias,
                        const S* sums, S gain, S* y) {
  atoms_forward_as<true>(x, falsehood, outputs, W, bias, sums, gain, y);
}

template <class S>
void atoms_tanh_backward(AtomRows x, S truth, std::size_t outputs, const S* y, const S* dy, S gain, S* dW,
                         S* sums) {
  for_strips<kWide>(outputs, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    Block sum(S(0));
    for (std::size_t b = 0, k = 0; b < x.rows; ++b) {
      const Block value(y + b * outputs + first);
      Block gradient(dy + b * outputs + first);
      for (std::size_t v = 0; v < Block::kCount; ++v) {
        gradient.part[v] = gradient.part[v] * (S(1) - value.part[v] * value.part[v]) * gain;
        sum.part[v] += gradient.part[v];
      }
      for (; k < x.ends[b]; ++k) add_to(dW + x.active[k] * outputs + first, truth, gradient);
    }
    sum.write(sums + first);
  });
}

template <class S>
void add_active(AtomRows x, S truth, std::size_t outputs, const S* dz, S* dW) {
  for (std::size_t b = 0, begin = 0; b < x.rows; begin = x.ends[b++]) {
    for_strips<kWide>(outputs, [=](auto width, std::size_t first) {
      const Strip<S, width> gradient(dz + b * outputs + first);
      for (std::size_t k = begin; k < x.ends[b]; ++k)
        add_to(dW + x.active[k] * outputs + first, truth, gradient);
    });
  }
}

template <std::size_t Outputs, class S>
void narrow_tanh_backward_of(AtomRows x, S truth, std::size_t outputs, const S* y, const NarrowTop<S>& layer,
                             const S* start, S gain, S* dW, S* sums) {
  const NarrowTop<S> top = layer;
  for_strips<(Outputs == 1 ? kWide : 16)>(outputs, [=](auto width, std::size_t first) {
    using Block = Strip<S, width>;
    Block sum(S(0));
    Block own[Outputs];
    for (std::size_t o = 0; o < Outputs; ++o)
      own[o] = top.from == nullptr ? Block(S(0)) : Block(top.from + o * outputs + first);
    for (std::size_t b = 0, k = 0; b < x.rows; ++b) {
      const S* const dz = top.dz + b * Outputs;
      const Block value(y + b * outputs + first);
      Block gradient = start == nullptr ? Block(S(0)) : Block(start + b * outputs + first);
      for (std::size_t o = 0; o < Outputs; ++o) {
        add_scaled(dz[o], Block(top.columns + o * outputs + first), gradient);
        add_scaled(dz[o], value, own[o]);
      }
      for (std::size_t v = 0; v < Block::kCount; ++v) {
        gradient.part[v] = gradient.part[v] * (S(1) - value.part[v] * value.part[v]) * gain;
        sum.part[v] += gradient.part[v];
      }
      for (; k < x.ends[b]; ++k) add_to(dW + x.active[k] * outputs + first, truth, gradient);
    }
    sum.write(sums + first);
    for (std::size_t o = 0; o < Outputs; ++o) own[o].write(top.into + o * outputs + first);
  });
}

template <class S>
void narrow_tanh_backward(AtomRows x, S truth, std::size_t outputs, const S* y, const NarrowTop<S>& top,
                          const S* start, S gain, S* dW, S* sums) {
  if (top.outputs == 1) return narrow_tanh_backward_of<1>(x, truth, outputs, y, top, start, gain, dW, sums);
  if (top.outputs == 2) return narrow_tanh_backward_of<2>(x, truth, outputs, y, top, start, gain, dW, sums);
  narrow_tanh_backward_of<3>(x, truth, outputs, y, top, start, gain, dW, sums);
}

template <class S>
void add_to_all_rows(std::size_t rows, std::size_t cols, S factor, const S* row, S* m) {
  for_strips<kWide>(cols, [=](auto width, std::size_t first) {
    const Strip<S, width> added(row + first);
    for (std::size_t r = 0; r < rows; ++r) add_to(m + r * cols + first, factor, added);
  });
}

template <class S>
void enter(Kernels<S>& kernels) {
  kernels.atoms_forward = atoms_forward;
  kernels.atoms_tanh_forward = atoms_tanh_forward;
  kernels.atoms_tanh_backward = atoms_tanh_backward;
  kernels.narrow_tanh_backward = narrow_tanh_backward;
  kernels.add_active = add_active;
  kernels.add_to_all_rows = add_to_all_rows;
}

}  // namespace

void enter_atoms(Kernels<float>& floats, Kernels<double>& doubles) {
  enter(floats);
  enter(doubles);
}

}  // namespace ndnf::kernel_sets::NDNF_KERNEL_SET
