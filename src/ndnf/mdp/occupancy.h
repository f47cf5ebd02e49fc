#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ndnf {

/// The probability that an episode is at each place of a chain after a given number of steps. Sparse, since
/// policies occupy few places at a time.
template <class Number>
class Occupancy {
 public:
  explicit Occupancy(std::size_t places) : mass_(places), occupied_(places, false) {}

  void add(std::uint32_t place, const Number& probability) {
    if (!occupied_[place]) places_.push_back(place);
    occupied_[place] = true;
    mass_[place] += probability;
  }
  bool empty() const { return places_.empty(); }
  /// The occupied places, in the order in which they were entered.
  const std::vector<std::uint32_t>& places() const { return places_; }
  /// Calls visit(place, probability) for every occupied place and clears them.
  template <class Visit>
  void drain(Visit visit) {
    for (const std::uint32_t place : places_) {
      occupied_[place] = false;
      visit(place, std::exchange(mass_[place], Number()));
    }
    places_.clear();
  }

 private:
  std::vector<Number> mass_;
  std::vector<bool> occupied_;
  std::vector<std::uint32_t> places_;
};

}  // namespace ndnf
