#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include <experimental/simd>

// What the kernels are written with: vectors of a fixed number of lanes, and memory that suits them.

namespace ndnf {

namespace stdx = std::experimental;

/// A fixed width, so that sums do not depend on the processor's.
inline constexpr std::size_t kLanes = 8;

/// Width neighbouring numbers, as vectors that stay in registers.
template <class S, std::size_t Width>
struct Strip {
  static constexpr std::size_t kWidth = std::min(Width, kLanes);
  static constexpr std::size_t kCount = Width / kWidth;
  using Part = stdx::simd<S, stdx::simd_abi::deduce_t<S, kWidth>>;

  Strip() = default;
  explicit Strip(S value) {
    for (Part& p : part) p = Part(value);
  }
  explicit Strip(const S* from) {
    for (std::size_t v = 0; v < kCount; ++v) part[v].copy_from(from + v * kWidth, stdx::element_aligned);
  }
  void write(S* to) const {
    for (std::size_t v = 0; v < kCount; ++v) part[v].copy_to(to + v * kWidth, stdx::element_aligned);
  }

  Part part[kCount];
};

/// Calls body(width, first) for one strip of columns after the other; width is a constant: Widest, half of
/// that, and so on, and 1 for what is left over after strips of 4.
template <std::size_t Widest = 2 * kLanes, class Body>
inline void for_strips(std::size_t cols, const Body& body, std::size_t first = 0) {
  for (; first + Widest <= cols; first += Widest) body(std::integral_constant<std::size_t, Widest>{}, first);
  if constexpr (Widest > 1) {
    if (first < cols) for_strips<(Widest > 4 ? Widest / 2 : 1)>(cols, body, first);
  }
}

/// Gives memory that begins with a cache line: half of the vectors would straddle two lines otherwise.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  bool operator==(const LineAllocator&) const { return true; }
};
template <class S>
using Numbers = std::vector<S, LineAllocator<S>>;

}  // namespace ndnf
