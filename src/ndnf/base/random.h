#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ndnf {

/// Random numbers as a pure function of (seed, stream, position): Philox4x64-10. Whoever knows the position
/// gets the same number, so results do not depend on the number of threads or on who asked first.
class RandomStream {
 public:
  /// Eight words: the four results of one Philox call, the low half of each first.
  using Block = std::array<std::uint32_t, 8>;

  RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  Block block(std::uint64_t position) const;

  /// Writes the words of blocks `position`, `position + 1`, … one after the other, the last block cut short.
  void fill(std::uint64_t position, std::span<std::uint32_t> words) const;

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// Reads one stream from its beginning: the convenient form for code that needs "the next number".
class RandomSequence {
 public:
  explicit RandomSequence(RandomStream stream) : stream_(stream) {}

  std::uint32_t word();
  /// Uniform on [0, 1), 53 bits.
  double uniform();
  /// Standard normal (Box and Muller, one value per call).
  double normal();
  /// Uniform on 0 … bound − 1. REQUIRES: bound > 0.
  std::uint32_t below(std::uint32_t bound);

 private:
  RandomStream stream_;
  std::uint64_t position_ = 0;
  RandomStream::Block block_{};
  std::size_t used_ = std::tuple_size_v<RandomStream::Block>;
};

}  // namespace ndnf
