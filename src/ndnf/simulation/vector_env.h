#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ndnf/mdp/action_mask.h"
#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// The result of one lockstep of N environments; the spans are valid until the next call.
struct VectorStep {
  std::span<const ObsId>
      observations;  ///< The current observations: after an episode's end, the start of the next one.
  std::span<const ObsId>
      arrived;  ///< The observations that the step led to: differ from `observations` at an episode's end.
  std::span<const double> rewards;
  std::span<const std::uint8_t> terminated;  ///< 1: the episode ended in an end state.
  std::span<const std::uint8_t>
      truncated;  ///< 1: the step limit was reached (both may be 1, as in Gymnasium).
  /// 1: nothing happened in this step, whatever the action: it only began the episode after the one that the
  /// step before had ended, so there is nothing to learn from it. Empty if that never happens.
  std::span<const std::uint8_t> skipped{};
};

/// N environments in lockstep, each starting a new episode automatically when one ends. Implementations may
/// walk a table of outcomes, simulate a world (StreamedEnv) or wrap an external environment; the trainer sees
/// no difference. Observations are ids of rows in `observations()`, which may be reused: see `keep`.
class VectorEnv {
 public:
  virtual ~VectorEnv() = default;
  virtual std::size_t size() const = 0;
  virtual const ObservationTable& observations() const = 0;
  /// Restarts all episodes; the same seed gives the same episodes for the same actions.
  virtual std::span<const ObsId> reset(std::uint64_t seed) = 0;
  /// REQUIRES: reset was called; one valid action per environment.
  virtual VectorStep step(std::span<const ActionId> actions) = 0;
  /// Asks that the ids of an observation stay valid for this many further steps. By default they are valid
  /// for one step only, unless the table keeps every row. REQUIRES: called before `reset`.
  virtual void keep(std::size_t /*steps*/) {}
  /// The actions that each row of `observations()` offers; null if all do. Others must not be taken. Where
  /// rows are reused, the mask changes with them.
  virtual const ActionMask* offered() const { return nullptr; }
  /// Whether `truncated` only says that a new episode begins, in a task that has no step limit: what would
  /// have followed counts.
  virtual bool cuts_episodes() const { return false; }
  /// The state of all episodes, to be passed to `restore` of an identically configured environment, which
  /// then continues with the same steps. Nothing if the environment cannot be saved; a resumed training then
  /// starts new episodes.
  virtual std::optional<std::vector<std::uint64_t>> snapshot() const { return std::nullopt; }
  /// Throws Error if the snapshot is not from an identically configured environment. Returns the current
  /// observations. REQUIRES: snapshot() gives one.
  virtual std::span<const ObsId> restore(std::span<const std::uint64_t> /*snapshot*/) { return {}; }
};

/// Makes environments in lockstep.
struct EnvFactory {
  using Make = std::function<std::unique_ptr<VectorEnv>(std::size_t count, std::uint64_t stream)>;

  EnvFactory() = default;
  template <class Function>
  EnvFactory(Function function) : make(std::move(function)) {}  // NOLINT: a function is a factory

  /// `stream` separates the random numbers of several groups with the same seed.
  std::unique_ptr<VectorEnv> operator()(std::size_t count, std::uint64_t stream) const {
    return make(count, stream);
  }

  Make make;
  /// The only number of environments that there can be, one group at a time; nothing if any number will do.
  std::optional<std::size_t> only{};
};

}  // namespace ndnf
