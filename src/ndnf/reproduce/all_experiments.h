#pragma once

#include "ndnf/pieces/experiment.h"

namespace ndnf {

/// All experiments, in the order of the report.
std::vector<Experiment> experiments();

// One per file.
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
