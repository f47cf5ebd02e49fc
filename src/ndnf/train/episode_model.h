#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {

/// What episodes have shown: how often each action was tried in each observation, and what came of it. If
/// the observations determine what happens next, this estimates the task's model; nothing of the model itself
/// is used.
class EpisodeModel {
 public:
  struct Result {
    ObsId next = 0;
    bool terminal = false;
    double reward = 0;
    std::uint64_t count = 1;
  };

  explicit EpisodeModel(std::size_t action_count) : actions_(action_count) {}

  void add_start(ObsId obs);
  void add(ObsId obs, ActionId action, ObsId next, bool terminal, double reward);

  /// Observations beyond it have not been seen.
  std::size_t size() const { return tries_.size() / actions_; }
  std::size_t action_count() const { return actions_; }
  std::uint64_t tries(ObsId obs, ActionId action) const {
    return obs < size() ? tries_[obs * actions_ + action] : 0;
  }
  /// The distinct results, in the order of their first appearance.
  std::span<const Result> results(ObsId obs, ActionId action) const {
    return results_[obs * actions_ + action];
  }
  /// The largest magnitude of a reward.
  double largest_reward() const { return largest_reward_; }

  /// The task as the episodes have shown it: relative frequencies for probabilities, and only actions that
  /// were tried. An observation in which nothing was tried ends the episode. `table` are the environment's
  /// observations.
  FiniteModel estimated(std::shared_ptr<const ObservationTable> table, std::size_t step_limit,
                        double discount = 1) const;

  void save(TensorFile& file) const;
  /// Throws Error if an observation or action does not exist.
  void restore(std::string_view where, const TensorFile& file, std::size_t observation_count);

 private:
  void make_room(ObsId obs);

  std::size_t actions_;
  std::vector<std::uint64_t> tries_;          // (observations, actions)
  std::vector<std::vector<Result>> results_;  // (observations, actions)
  std::vector<std::uint64_t> starts_;         // by observation
  double largest_reward_ = 0;
};

}  // namespace ndnf
