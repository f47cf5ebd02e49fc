#include "ndnf/base/random.h"

#include <cmath>
#include <numbers>

#include <Random123/philox.h>

#include "ndnf/base/elementary.h"

namespace ndnf {

namespace {

constexpr std::size_t kBlock = std::tuple_size_v<RandomStream::Block>;

// Philox with four 64-bit words instead of 32-bit ones: on 64-bit processors a call costs the same and
// yields twice as many bits.
inline void write_block(std::uint64_t seed, std::uint64_t stream, std::uint64_t position,
                        std::uint32_t* words) {
  const auto result = r123::Philox4x64()({{position, stream, 0, 0}}, {{seed, 0}});
  for (std::size_t i = 0; i < 4; ++i) {
    words[2 * i] = static_cast<std::uint32_t>(result[i]);
    words[2 * i + 1] = static_cast<std::uint32_t>(result[i] >> 32);
  }
}

}  // namespace

RandomStream::Block RandomStream::block(std::uint64_t position) const {
  Block words;
  write_block(seed_, stream_, position, words.data());
  return words;
}

void RandomStream::fill(std::uint64_t position, std::span<std::uint32_t> words) const {
  std::size_t i = 0;
  for (; i + kBlock <= words.size(); i += kBlock) write_block(seed_, stream_, position++, words.data() + i);
  const Block last = block(position);
  for (std::size_t k = 0; i + k < words.size(); ++k) words[i + k] = last[k];
}

std::uint32_t RandomSequence::word() {
  if (used_ == block_.size()) {
    block_ = stream_.block(position_++);
    used_ = 0;
  }
  return block_[used_++];
}

double RandomSequence::uniform() {
  const std::uint64_t high = word();
  const std::uint64_t bits = (high << 32 | word()) >> 11;
  return static_cast<double>(bits) * 0x1.0p-53;
}

double RandomSequence::normal() {
  const double radius = std::sqrt(-2.0 * logarithm(1.0 - uniform()));
  return radius * cosine(2.0 * std::numbers::pi * uniform());
}

std::uint32_t RandomSequence::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(word()) * bound >> 32);
}

}  // namespace ndnf
