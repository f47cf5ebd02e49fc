#pragma once

#include "ndnf/reproduce/experiment.h"

namespace ndnf {

// One per file; experiments.cpp puts them in order.
Experiment returns_experiment();
Experiment blackjack_experiment();
Experiment taxi_experiment();
Experiment door_corridor_experiment();
Experiment editing_experiment();
Experiment extraction_experiment();
Experiment run_time_experiment();
Experiment problog_experiment();
Experiment listings_experiment();
Experiment best_experiment();
Experiment sizes_experiment();

}  // namespace ndnf
