#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/mdp/finite_model.h"
#include "ndnf/simulation/alias_table.h"
#include "ndnf/simulation/vector_env.h"

namespace ndnf {

/// What a model needs to be sampled with one table lookup per step: alias tables, unless every action has a
/// single outcome. Built once and shared by all walkers and threads. REQUIRES: the model outlives it.
class TransitionSampler {
 public:
  explicit TransitionSampler(const FiniteModel& model);

 private:
  friend class TableEnv;
  struct Place {
    StateId state;
    ObsId observation;
  };

  const FiniteModel& model_;
  AliasTable rows_;  ///< One row per (state, action), with an entry per outcome; empty if none is random.
  AliasTable start_row_;  ///< One row; entries are indices into starts_.
  std::vector<Place> starts_;
  bool random_outcomes_ = false;
};

/// Without a step limit, walkers are truncated after this many steps; the task itself goes on there.
inline constexpr std::uint32_t kRolloutSteps = 1000;

/// N walkers on the table in lockstep. A step does not allocate.
class TableEnv final : public VectorEnv {
 public:
  /// `stream` separates the random numbers of different TableEnvs with the same seed.
  TableEnv(const TransitionSampler& sampler, std::size_t size, std::uint64_t stream = 0);
  /// The same, keeping the sampler alive.
  TableEnv(std::shared_ptr<const TransitionSampler> sampler, std::size_t size, std::uint64_t stream = 0);

  std::size_t size() const override { return states_.size(); }
  const ObservationTable& observations() const override { return sampler_.model_.observations(); }
  std::span<const ObsId> reset(std::uint64_t seed) override;
  VectorStep step(std::span<const ActionId> actions) override;
  const ActionMask* offered() const override {
    const auto& mask = sampler_.model_.offered();
    return mask ? &*mask : nullptr;
  }
  bool cuts_episodes() const override { return sampler_.model_.endless(); }
  std::optional<std::vector<std::uint64_t>> snapshot() const override;
  std::span<const ObsId> restore(std::span<const std::uint64_t> snapshot) override;

 private:
  template <bool kRandomOutcomes>
  void advance(std::span<const ActionId> actions);
  /// Ensures that a step's words (at most two per walker) are in the buffer.
  void provide_words();
  void refill();
  /// Blocks of random_ per refill of words_.
  std::size_t blocks() const { return words_.size() / std::tuple_size_v<RandomStream::Block>; }

  std::shared_ptr<const TransitionSampler> owned_;  ///< May be null.
  const TransitionSampler& sampler_;
  const std::uint64_t stream_;
  std::uint64_t seed_ = 0;
  RandomStream random_;
  std::uint64_t position_ = 0;        ///< The next block of random_.
  std::vector<std::uint32_t> words_;  ///< Consumed in walker order, as many as a step needs.
  std::size_t used_;                  ///< How many of words_ have been consumed.
  std::uint32_t step_limit_;
  std::vector<StateId> states_;
  std::vector<std::uint32_t> steps_;
  std::vector<ObsId> observations_;
  std::vector<ObsId> arrived_;
  std::vector<double> rewards_;
  std::vector<std::uint8_t> terminated_;
  std::vector<std::uint8_t> truncated_;
};

}  // namespace ndnf
