#include <vector>

#include <benchmark/benchmark.h>

#include "ndnf/base/random.h"

namespace {

/// Cost of one random word in bulk.
void RandomWords(benchmark::State& state) {
  const ndnf::RandomStream stream(1, 2);
  std::vector<std::uint32_t> words(1024);
  std::uint64_t position = 0;
  for (auto _ : state) {
    stream.fill(position, words);
    position += 256;
    benchmark::DoNotOptimize(words.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words.size()));
}
BENCHMARK(RandomWords);

}  // namespace
