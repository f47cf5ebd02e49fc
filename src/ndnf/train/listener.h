#pragma once

#include "ndnf/train/trainer.h"

namespace ndnf {

/// An observer of a training run: a metrics file, a progress bar, a web page.
class TrainingListener {
 public:
  virtual ~TrainingListener() = default;
  /// `seconds` is the training time so far, without interruptions.
  virtual void on_iteration(const IterationReport& report, double seconds) = 0;
  /// The run's files now contain everything that was reported.
  virtual void on_checkpoint() {}
};

}  // namespace ndnf
