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
        values_(world_->vocabulary()->group_count()),
        dense_(world_->vocabulary()->quantities().size()),
        rows_(ring(size, 1)),
        walkers_(size),
        observations_(size),
        arrived_(size),
        rewards_(size),
        terminated_(size),
        truncated_(size) {}

  std::size_t size() const override { return walkers_.size(); }
  const ObservationTable& observations() const override { return rows_; }
  void keep(std::size_t steps) override { rows_ = ring(size(), steps); }

  std::span<const ObsId> reset(std::uint64_t seed) override {
    seed_ = seed;
    for (std::size_t i = 0; i < size(); ++i) {
      walkers_[i].draws = 0;
      begin_episode(i);
      observations_[i] = write(walkers_[i].state);
    }
    return observations_;
  }

  VectorStep step(std::span<const ActionId> actions) override {
    for (std::size_t i = 0; i < size(); ++i) {
      Walker& walker = walkers_[i];
      RandomSequence random = draws(i);
      const WorldStep result = world_->step(walker.state, actions[i], random);
      rewards_[i] = result.reward;
      terminated_[i] = result.terminated ? 1 : 0;
      truncated_[i] = ++walker.steps >= world_->step_limit() ? 1 : 0;
      arrived_[i] = write(walker.state);
      observations_[i] = arrived_[i];
      if (terminated_[i] == 0 && truncated_[i] == 0) continue;
      begin_episode(i);
      observations_[i] = write(walker.state);
    }
    return {observations_, arrived_, rewards_, terminated_, truncated_};
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
      observations_[i] = write(walkers_[i].state);
    }
    return observations_;
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

  ObservationTable ring(std::size_t count, std::size_t steps) const {
    // Per step a walker needs a row for where it arrived and one for a new start; the current ones stay.
    return ObservationTable::buffer(world_->vocabulary(), dense_.size(), 2 * count * (steps + 2));
  }
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
    world_->observe(state, values_, dense_);
    const auto row = static_cast<ObsId>(next_);
    next_ = next_ + 1 == rows_.size() ? 0 : next_ + 1;
    rows_.overwrite(row, values_, dense_);
    return row;
  }

  const std::shared_ptr<const World> world_;
  const std::uint64_t stream_;
  std::uint64_t seed_ = 0;
  std::vector<std::uint32_t> values_;
  std::vector<float> dense_;
  ObservationTable rows_;
  std::size_t next_ = 0;
  std::vector<Walker> walkers_;
  std::vector<ObsId> observations_;
  std::vector<ObsId> arrived_;
  std::vector<double> rewards_;
  std::vector<std::uint8_t> terminated_;
  std::vector<std::uint8_t> truncated_;
};

}  // namespace ndnf
