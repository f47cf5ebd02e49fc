#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ndnf/rules/player.h"

// Ranges and quanta say what rules can tell apart. Whether they fit shows in the numbers that a task gives.

namespace ndnf {

/// The numbers of visited observations, as they are and as rules see them.
class SeenNumbers {
 public:
  explicit SeenNumbers(std::shared_ptr<const Features> features);

  void operator()(const ObservationTable& table, ObsId obs);

  /// What rules cannot tell apart, as sentences: a number that varies and is seen as one value or a few, or
  /// is often outside its range.
  std::vector<std::string> remarks() const;
  /// The mean of what was seen at this place of a number: the best guess of somebody who knows the place.
  float typical(std::size_t feature, std::int32_t place) const;

 private:
  struct Mean {
    double sum = 0;
    std::uint64_t count = 0;
  };
  struct Seen {
    float least = 0;
    float most = 0;
    std::uint64_t count = 0;
    std::uint64_t outside = 0;                      ///< By more than a step.
    std::set<float> values;                         ///< The first ones.
    std::unordered_map<std::int32_t, Mean> places;  ///< All of them.
  };
  void add(const Grid& grid, float number, Seen& seen) const;

  std::shared_ptr<const Features> features_;
  std::vector<Seen> seen_;  ///< One per feature; unused for atoms.
};

/// What is to be said about the grids of a task.
struct GridReport {
  std::vector<std::string> warnings;
  std::uint64_t steps = 0;  ///< That it took to find out.
};

/// A teacher plays a few episodes twice: with numbers as they are, and as rules see them. What it earns less
/// is what the grid costs it.
GridReport examine_grids(const PlayedTask& stage, const Policy& teacher, std::uint64_t seed);

}  // namespace ndnf
