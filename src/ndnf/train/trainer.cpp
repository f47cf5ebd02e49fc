#include "ndnf/train/trainer.h"

#include "ndnf/nn/flush_denormals.h"

namespace ndnf {

IterationReport Trainer::iterate() {
  const FlushDenormals flush;
  return next_iteration();
}

}  // namespace ndnf
