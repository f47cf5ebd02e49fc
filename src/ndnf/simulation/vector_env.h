#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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

/// Makes `count` environments in lockstep; `stream` separates the random numbers of several such groups with
/// the same seed.
using EnvFactory = std::function<std::unique_ptr<VectorEnv>(std::size_t count, std::uint64_t stream)>;

}  // namespace ndnf
