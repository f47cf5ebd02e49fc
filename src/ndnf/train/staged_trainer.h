#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "ndnf/train/trainer.h"

namespace ndnf {

/// Two trainers in sequence that report and resume as one. The second starts from the result of the first.
class StagedTrainer final : public Trainer {
 public:
  /// `begin_second` is called when the first stage is done, and when a state of the second stage is
  /// restored; it returns null if nothing is left to do. `iterations` is the number of iterations of the
  /// second stage.
  StagedTrainer(std::unique_ptr<Trainer> first, std::function<std::unique_ptr<Trainer>()> begin_second,
                std::size_t iterations);

  bool done() const override { return second_ ? second_->done() : nothing_left_; }
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;
  bool began_new_episodes() const override { return !second_ && first_->began_new_episodes(); }

 private:
  IterationReport next_iteration() override;
  void begin_second_if_due();

  std::unique_ptr<Trainer> first_;
  std::function<std::unique_ptr<Trainer>()> begin_second_;
  std::size_t iterations_;
  std::unique_ptr<Trainer> second_;
  bool nothing_left_ = false;
  std::size_t first_iterations_ = 0;
  std::size_t steps_ = 0;  ///< Environment steps of the first stage.
};

}  // namespace ndnf
