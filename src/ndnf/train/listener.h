#pragma once

#include "ndnf/train/trainer.h"

namespace ndnf {

/// Somebody who follows a training: a file of metrics, a progress bar, a page.
class TrainingListener {
 public:
  virtual ~TrainingListener() = default;
  /// `seconds` is how long the training has taken so far, interruptions left out.
  virtual void on_iteration(const IterationReport& report, double seconds) = 0;
  /// The run's files now hold all that was reported.
  virtual void on_checkpoint() {}
};

}  // namespace ndnf
