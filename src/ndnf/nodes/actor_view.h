#pragma once

#include <memory>
#include <vector>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/encoder.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The observations of a task as its actor sees them: the environment's own or, behind an encoder, the truth
/// values of the predicates that it invents, a_0, a_1, … So extraction never has to handle images.
struct ActorView {
  std::shared_ptr<const ObservationTable> table;
  std::vector<ObsId> seen_as;  ///< Per observation of the environment: its row in `table`.

  bool invented(const ObservationTable& environment) const { return table.get() != &environment; }
};

/// The paper's step 0: an invented predicate is true where the encoder's output is above 0.
ActorView view_of(const Encoder<double>& encoder, std::shared_ptr<const ObservationTable> environment);

/// The view of a policy that reads the environment's atoms.
ActorView own_view(std::shared_ptr<const ObservationTable> environment);

/// The rows of the view for these observations of the environment, ascending and without duplicates.
std::vector<ObsId> seen(const ActorView& view, std::span<const ObsId> observations);

/// A program over the atoms of this view: rules that define the encoder's predicates are left out.
Program over_view(const ActorView& view, const ObservationTable& environment, Program program);

}  // namespace ndnf
