#pragma once

#include "ndnf/train/trainer.h"

namespace ndnf::testing {

/// Trains to the end.
inline void run(Trainer& trainer) {
  while (!trainer.done()) trainer.iterate();
}

}  // namespace ndnf::testing
