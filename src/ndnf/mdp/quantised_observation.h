#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ndnf/mdp/observation_table.h"

namespace ndnf {

/// An observation as rules see it: the values of the groups, and the places of the quantities on their grids.
struct QuantisedObservation {
  std::vector<std::uint32_t> values;
  std::vector<std::int32_t> places;
};

/// Throws Error if a quantity has no grid.
QuantisedObservation quantised(const ObservationTable& table, ObsId obs);

/// "windy, gear(2), velocity 0.255 m/s". A place K is described as K quanta: it stands for all numbers up to
/// that, and above the place before.
std::string describe(const QuantisedObservation& observation, const Vocabulary& vocabulary);

/// One of its quantities: "velocity 0.255 m/s".
std::string describe_place(const Quantity& quantity, std::int32_t place);

}  // namespace ndnf
