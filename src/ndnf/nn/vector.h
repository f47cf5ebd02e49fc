#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace ndnf {

/// Allocates memory aligned to a cache line; otherwise half of the vectors would straddle two lines.
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
