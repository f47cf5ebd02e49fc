#include "ndnf/reproduce/all_experiments.h"

namespace ndnf {

std::vector<Experiment> experiments() {
  return {returns_experiment(), blackjack_experiment(),  taxi_experiment(),     door_corridor_experiment(),
          editing_experiment(), extraction_experiment(), listings_experiment(), best_experiment(),
          sizes_experiment(),   run_time_experiment(),   problog_experiment()};
}

}  // namespace ndnf
