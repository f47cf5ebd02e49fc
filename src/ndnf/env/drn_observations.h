#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/base/identifier.h"
#include "ndnf/env/drn_parser.h"

namespace ndnf {

/// Turns foreign names into words of a program, each only once: they start with a lower-case letter and are
/// not reserved.
class ProgramWords {
 public:
  /// `prefix` is put before a name without letters.
  explicit ProgramWords(std::string prefix) : identifiers_(std::move(prefix)) {}
  std::string add(std::string_view name, std::size_t arity);

 private:
  Identifiers identifiers_;
};

struct DrnObservations {
  std::shared_ptr<const ObservationTable> table;
  std::vector<ObsId> of_state;  ///< By state of the file; the first one where nothing is decided.
};

/// What is observed in the states that decide. Atoms are the values of the variables that the observation (of
/// a POMDP; otherwise the state) determines. Where they do not tell all observations apart, or there are
/// none, the number of the observation or state is an atom, too.
DrnObservations observations_of(const DrnModel& model, const std::vector<bool>& decides,
                                const std::vector<std::string>& actions);

}  // namespace ndnf
