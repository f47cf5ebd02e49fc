#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// What one lock-step of N environments brought; the spans live until the next call.
struct VectorStep {
  std::span<const ObsId>
      observations;  ///< What each agent sees now: after an episode's end, the next one's start.
  std::span<const ObsId>
      arrived;  ///< What the step itself led to: differs from `observations` at an episode's end.
  std::span<const double> rewards;
  std::span<const std::uint8_t> terminated;  ///< 1: the episode ended by the task's rules.
  std::span<const std::uint8_t>
      truncated;  ///< 1: the step limit was reached (both may be 1, as in Gymnasium).
};

/// N environments in lock-step, each starting a new episode by itself when one ends. A table walk or a
/// foreign environment that appends rows to its table: the trainer cannot tell.
class VectorEnv {
 public:
  virtual ~VectorEnv() = default;
  virtual std::size_t size() const = 0;
  virtual const ObservationTable& observations() const = 0;
  /// Starts all episodes anew; the same seed gives the same episodes for the same actions.
  virtual std::span<const ObsId> reset(std::uint64_t seed) = 0;
  /// REQUIRES: reset was called; one valid action per environment.
  virtual VectorStep step(std::span<const ActionId> actions) = 0;
  /// Where all episodes stand, for `restore` in an environment made alike: it then goes on with the same
  /// steps.
  virtual std::vector<std::uint64_t> snapshot() const = 0;
  /// Throws Error if the snapshot is not one of an environment made alike. Returns what each agent sees.
  virtual std::span<const ObsId> restore(std::span<const std::uint64_t> snapshot) = 0;
};

}  // namespace ndnf
