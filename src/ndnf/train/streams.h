#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/base/random.h"

namespace ndnf {

// The purpose of each random stream of a training seed. Every random number is a function of the seed, the
// stream and the iteration, so a resumed training run needs no saved generator state.
inline constexpr std::uint64_t kEnvironmentStream = 0;
inline constexpr std::uint64_t kFirstWeightsStream = 1;
inline constexpr std::uint64_t kActionStream = 2;
inline constexpr std::uint64_t kShuffleStream = 3;

/// The number of blocks of a RandomStream that hold this many words.
constexpr std::size_t blocks_for(std::size_t words) {
  constexpr std::size_t kBlock = std::tuple_size_v<RandomStream::Block>;
  return (words + kBlock - 1) / kBlock;
}

/// Puts the items into the `number`-th random order (Fisher–Yates). `words` is scratch memory.
inline void shuffle(const RandomStream& random, std::uint64_t number, std::vector<std::uint32_t>& words,
                    std::span<std::uint32_t> items) {
  words.resize(items.size());
  random.fill(number * blocks_for(items.size()), words);
  for (std::size_t i = items.size(); i-- > 1;) {
    std::swap(items[i],
              items[static_cast<std::size_t>(static_cast<std::uint64_t>(words[i]) * (i + 1) >> 32)]);
  }
}

}  // namespace ndnf
