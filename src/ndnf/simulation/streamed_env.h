#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/base/error.h"
#include "ndnf/base/random.h"
#include "ndnf/simulation/step_buffer.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// What one step of a simulated world leads to.
struct WorldStep {
  double reward = 0;
  bool terminated = false;
};

/// Walkers in a world that is simulated, not enumerated. Memory is constant however many observations there
/// are: they are written into a ring of rows, as many as `keep` asks for. A step does not allocate.
///
/// A `World` is immutable and shared; it has a trivially copyable `State` and
///  - `vocabulary()`, a shared pointer, and `step_limit()`;
///  - `State start(RandomSequence&) const` and `WorldStep step(State&, ActionId, RandomSequence&) const`;
///  - `void observe(const State&, std::span<std::uint32_t> values, std::span<float> dense) const`.
/// Random numbers are a function of the seed, the stream, the walker and the number of its step, so a
/// snapshot needs none of them.
template <class World>
class StreamedEnv final : public VectorEnv {
 public:
  using State = typename World::State;

  StreamedEnv(std::shared_ptr<const World> world, std::size_t size, std::uint64_t stream)
      : world_(std::move(world)),
        stream_(stream),
        steps_(world_->vocabulary(), world_->vocabulary()->quantities().size(), size),
        walkers_(size) {}

  std::size_t size() const override { return walkers_.size(); }
  const ObservationTable& observations() const override { return steps_.rows(); }
  void keep(std::size_t steps) override { steps_.keep(steps); }

  std::span<const ObsId> reset(std::uint64_t seed) override {
    seed_ = seed;
    for (std::size_t i = 0; i < size(); ++i) {
      walkers_[i].draws = 0;
      begin_episode(i);
      steps_.observations[i] = write(walkers_[i].state);
    }
    return steps_.observations;
  }

  VectorStep step(std::span<const ActionId> actions) override {
    for (std::size_t i = 0; i < size(); ++i) {
      Walker& walker = walkers_[i];
      RandomSequence random = draws(i);
      const WorldStep result = world_->step(walker.state, actions[i], random);
      steps_.rewards[i] = result.reward;
      steps_.terminated[i] = result.terminated ? 1 : 0;
      steps_.truncated[i] = ++walker.steps >= world_->step_limit() ? 1 : 0;
      steps_.arrived[i] = write(walker.state);
      steps_.observations[i] = steps_.arrived[i];
      if (steps_.terminated[i] == 0 && steps_.truncated[i] == 0) continue;
      begin_episode(i);
      steps_.observations[i] = write(walker.state);
    }
    return steps_.step();
  }

  std::optional<std::vector<std::uint64_t>> snapshot() const override {
    std::vector<std::uint64_t> words{seed_};
    for (const Walker& walker : walkers_) {
      const auto bytes = std::bit_cast<Bytes>(walker);
      words.insert(words.end(), bytes.begin(), bytes.end());
    }
    return words;
  }

  std::span<const ObsId> restore(std::span<const std::uint64_t> words) override {
    if (words.size() != 1 + size() * kWords)
      throw Error("", "the saved episodes belong to another environment");
    seed_ = words[0];
    for (std::size_t i = 0; i < size(); ++i) {
      Bytes bytes;
      std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(1 + i * kWords), kWords, bytes.begin());
      walkers_[i] = std::bit_cast<Walker>(bytes);
      if (!world_->is_valid(walkers_[i].state)) throw Error("", "a saved episode is in no possible state");
      steps_.observations[i] = write(walkers_[i].state);
    }
    return steps_.observations;
  }

 private:
  struct Walker {
    State state{};
    std::uint64_t steps = 0;  ///< Of this episode.
    std::uint64_t draws = 0;  ///< How often it has drawn random numbers: starts and steps so far.
  };
  static constexpr std::size_t kWords = sizeof(Walker) / sizeof(std::uint64_t);
  static_assert(sizeof(Walker) % sizeof(std::uint64_t) == 0);
  using Bytes = std::array<std::uint64_t, kWords>;
  /// Blocks of random words that one step may use.
  static constexpr std::uint64_t kBlocksPerDraw = 64;

  /// Streams below 2³² are left to others: initial weights, actions, shuffles.
  RandomSequence draws(std::size_t walker) {
    return RandomSequence(RandomStream(seed_, (stream_ + 1) << 32 | walker),
                          walkers_[walker].draws++ * kBlocksPerDraw);
  }
  void begin_episode(std::size_t walker) {
    RandomSequence random = draws(walker);
    walkers_[walker].state = world_->start(random);
    walkers_[walker].steps = 0;
  }
  ObsId write(const State& state) {
    return steps_.write([&](std::span<std::uint32_t> values, std::span<float> dense) {
      world_->observe(state, values, dense);
    });
  }

  const std::shared_ptr<const World> world_;
  const std::uint64_t stream_;
  std::uint64_t seed_ = 0;
  StepBuffer steps_;
  std::vector<Walker> walkers_;
};

}  // namespace ndnf
