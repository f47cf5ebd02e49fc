#pragma once

#include <string>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/layers.h"
#include "ndnf/nodes/actor_view.h"
#include "ndnf/syntax/program.h"

// The inputs of a program that is to be compiled: the environment's atoms or an encoder's predicates.

namespace ndnf {

/// The encoder of a run, for these observations. Throws Error if the run has none or if it does not fit.
Encoder<float> encoder_of(const std::string& run, const ObservationTable& table);

/// The program over the atoms that an actor with this view sees. Rules that define the encoder's predicates
/// are left out.
Program read_program_for(const ActorView& view, const ObservationTable& environment, const std::string& file);
Program program_for(const ActorView& view, const ObservationTable& environment, Program program);

}  // namespace ndnf
