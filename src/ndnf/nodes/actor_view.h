#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ndnf/mdp/observation_table.h"
#include "ndnf/model/encoder.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The observations of a task as its actor sees them: the environment's own or, behind an encoder, the truth
/// values of the predicates that it invents, a_0, a_1, … So extraction never has to handle images. If the
/// actor reads comparisons of quantities, the environment's atoms come first and the comparisons follow, a_0,
/// a_1, …, until they are spelled out.
struct ActorView {
  std::shared_ptr<const ObservationTable> table;
  std::vector<ObsId> seen_as;                 ///< Per observation of the environment: its row in `table`.
  std::vector<NumericLiteral> comparisons{};  ///< The last atoms of the table.

  bool invented(const ObservationTable& environment) const { return table.get() != &environment; }
};

/// The paper's step 0: an invented predicate is true where the encoder's output is above 0.
ActorView view_of(const Encoder<double>& encoder, std::shared_ptr<const ObservationTable> environment);

/// The view of a policy that reads the environment's atoms.
ActorView own_view(std::shared_ptr<const ObservationTable> environment);

/// The rows of the view for these observations of the environment, ascending and without duplicates.
std::vector<ObsId> seen(const ActorView& view, std::span<const ObsId> observations);

/// The names that comparisons have in a view: the environment's atoms, then one atom for each comparison.
std::shared_ptr<const Vocabulary> with_comparisons(const Vocabulary& environment, std::size_t comparisons);

/// A program over a view in the environment's own words: comparisons instead of the atoms that stand for
/// them.
Program spelled_out(Program program, const ActorView& view, const Vocabulary& environment);

/// The reverse: a ground program with atoms of with_comparisons instead of its comparisons. REQUIRES: each is
/// among `comparisons`.
Program with_names(Program program, std::span<const LinearComparison> comparisons,
                   const Vocabulary& environment, const Vocabulary& names);

/// A program over the atoms of this view: rules that define the encoder's predicates are left out.
Program over_view(const ActorView& view, const ObservationTable& environment, Program program);

}  // namespace ndnf
