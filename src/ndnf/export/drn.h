#pragma once

#include <string>

#include "ndnf/mdp/finite_model.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

/// The induced chain as a discrete-time Markov chain in Storm's DRN format, for
/// `stormpy.build_model_from_drn`, with the reward model `return`, the model's labels, and `end` and the tags
/// as labels of absorbing states. It contains the visited states and those in which the step limit may
/// truncate an episode. The format cannot express the step limit itself: it is the largest step bound that a
/// property may use (the second line of the file says so where it matters). A single start state is labelled
/// `init`; with several, a state without reward precedes them, and step bounds grow by 1 (the first line says
/// so). REQUIRES: the policy is defined on every observation it visits.
std::string to_drn(const FiniteModel& model, const PolicyTable& policy);

}  // namespace ndnf
