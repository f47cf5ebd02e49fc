#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/base/random.h"

namespace ndnf {

// Which random stream of a training's seed serves what. Every number is a function of the seed, the stream
// and the iteration, so a resumed training needs no saved generator.
inline constexpr std::uint64_t kEnvironmentStream = 0;
inline constexpr std::uint64_t kFirstWeightsStream = 1;
inline constexpr std::uint64_t kActionStream = 2;
inline constexpr std::uint64_t kShuffleStream = 3;

/// Blocks of a RandomStream that hold this many words.
constexpr std::size_t blocks_for(std::size_t words) {
  constexpr std::size_t kBlock = std::tuple_size_v<RandomStream::Block>;
  return (words + kBlock - 1) / kBlock;
}

/// The `number`-th random order of 0 … order.size() − 1 (Fisher and Yates). `words` is scratch.
inline void shuffle(const RandomStream& random, std::uint64_t number, std::vector<std::uint32_t>& words,
                    std::span<std::uint32_t> order) {
  words.resize(order.size());
  random.fill(number * blocks_for(order.size()), words);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i],
              order[static_cast<std::size_t>(static_cast<std::uint64_t>(words[i]) * (i + 1) >> 32)]);
  }
}

}  // namespace ndnf
