#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ndnf {

/// Random numbers as a pure function of (seed, stream, position): Philox4x64-10 (Salmon et al., 2011). The
/// position alone determines the number, so results do not depend on the number of threads or on the order
/// of calls.
class RandomStream {
 public:
  /// Eight words: the four 64-bit results of one Philox call, low half first.
  using Block = std::array<std::uint32_t, 8>;

  RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  Block block(std::uint64_t position) const;

  /// Writes the words of blocks `position`, `position + 1`, …; the last block may be cut short.
  void fill(std::uint64_t position, std::span<std::uint32_t> words) const;

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// Reads one stream sequentially, for code that needs "the next number".
class RandomSequence {
 public:
  /// Starts at a block of the stream.
  explicit RandomSequence(RandomStream stream, std::uint64_t position = 0)
      : stream_(stream), position_(position) {}

  std::uint32_t word();
  /// Uniform on [0, 1), 53 bits.
  double uniform();
  /// Standard normal (Box–Muller, one value per call).
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
