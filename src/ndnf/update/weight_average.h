#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ndnf/model/actor_critic.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// The mean of a network's parameters over several points of its training.
template <class S>
class WeightAverage {
 public:
  /// Adds the network's current parameters. REQUIRES: always the same network.
  void add(const ActorCritic<S>& network);
  bool empty() const { return count_ == 0; }
  /// Replaces the parameters by their means. REQUIRES: not empty.
  void apply(ActorCritic<S>& network) const;

  /// Adds `average.*` to a saved state; nothing while empty.
  void save(TensorFile& file) const;
  /// REQUIRES: `network` has the shape of those that were added.
  void restore(std::string_view where, const TensorFile& file, const ActorCritic<S>& network);

 private:
  std::size_t count_ = 0;
  std::vector<std::vector<double>> sums_;  // per parameter
};

}  // namespace ndnf
