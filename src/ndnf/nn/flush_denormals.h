#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace ndnf {

/// While it lives, denormal numbers count as 0 in this thread, as operands and as results. Adam's moments of
/// a weight without gradient decay into them, and many processors are slow with them. Part of the definition
/// of training: the same bytes on every x86-64 processor include it. On AArch64 it is not tested, and
/// elsewhere it does nothing.
class FlushDenormals {
 public:
  FlushDenormals() : before_(control()) { set_control(before_ | kFlush); }
  ~FlushDenormals() { set_control(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE__)
  static constexpr std::uint64_t kFlush = 0x8040;  // flush to zero, denormals are zero
  static std::uint64_t control() { return _mm_getcsr(); }
  static void set_control(std::uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
  static constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;
  static std::uint64_t control() {
    std::uint64_t bits = 0;
    asm volatile("mrs %0, fpcr" : "=r"(bits));
    return bits;
  }
  static void set_control(std::uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
  static constexpr std::uint64_t kFlush = 0;
  static std::uint64_t control() { return 0; }
  static void set_control(std::uint64_t) {}
#endif

  const std::uint64_t before_;
};

}  // namespace ndnf
