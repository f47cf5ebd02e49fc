#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"

// What a network learns well has numbers of about 1 at its inputs and in its rewards. These keep running
// figures of what a training has seen, by which it is scaled. Both change between two iterations only.

namespace ndnf {

/// Mean and deviation of a series of numbers (Welford, 1962), and its ends.
struct RunningFigures {
  double count = 0;
  double mean = 0;
  double squares = 0;  ///< Of the distances from the mean.
  double least = 0;
  double most = 0;

  void add(double x);
  double deviation() const;
};

/// Shifts and scales the numbers of observations to mean 0 and deviation 1. A number that rarely changes has
/// a small deviation, and would become huge when it does: a tenth of its range is the least that counts.
template <class S>
class InputScale {
 public:
  /// Adds the dense rows of these observations. A number that has never changed is only shifted.
  void observe(const ObservationTable& table, std::span<const ObsId> ids);
  /// Scales dense rows in place; before the first observation it leaves them as they are.
  void apply(Matrix<S>& numbers) const;
  /// Changes the first layers of actor and critic so that they do the same for rows as they are.
  /// REQUIRES: they read numbers, and are MLPs.
  void fold_into(ActorCritic<S>& network) const;

  /// How rows are scaled at present.
  Scaled scale() const;

  void save(TensorFile& file) const;
  void restore(std::string_view where, const TensorFile& file);

 private:
  void set_factors();

  std::vector<RunningFigures> figures_;
  std::vector<S> means_;
  std::vector<S> factors_;  ///< 1 / deviation
};

/// Divides rewards by the deviation of the discounted returns that they lead to.
class RewardScale {
 public:
  explicit RewardScale(double discount) : discount_(discount) {}
  /// Adds the rewards of a rollout, (steps, walkers), and then scales them.
  void apply(std::size_t walkers, std::span<const std::uint8_t> ended, std::span<double> rewards);

  void save(TensorFile& file) const;
  void restore(std::string_view where, const TensorFile& file);

 private:
  double discount_;
  RunningFigures figures_;
  std::vector<double> returns_;  ///< Per walker: the discounted sum of its rewards so far.
};

}  // namespace ndnf
