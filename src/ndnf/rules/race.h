#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "ndnf/rules/rule_list.h"

namespace ndnf {

/// A list and its returns in the first episodes of a series.
struct Contender {
  RuleList list;
  std::vector<double> returns;

  double mean() const;
};

/// The mean of a difference and its standard error.
struct PairedDifference {
  double mean = 0;
  double error = 0;  ///< 0 for a single pair.
};
/// Of a − b, over the pairs that both have.
PairedDifference paired_difference(std::span<const double> a, std::span<const double> b);

/// The outcome of a race.
enum class RaceResult : std::uint8_t { kLost, kAlike, kWon };

/// Plays further episodes of the challenger: those from `returns.size()` up to a count.
using PlayOn = std::function<void(std::vector<double>& returns, std::size_t count)>;

/// Races a challenger against an incumbent on the incumbent's episodes. It has lost when its first return is
/// below the incumbent's worst, or when after 2, 3, 4, 6, 9, … episodes its mean is below by more than one
/// standard error; this costs few episodes, since most challengers are bad. It is alike if no return differs
/// in the first 16 episodes, or in all. Otherwise it wins if its mean is higher in the end.
/// `returns` gets what was played.
RaceResult race(const Contender& incumbent, const PlayOn& play_on, std::vector<double>& returns);

/// The best list of each size, by the mean over the same episodes: each is better than all smaller ones.
class Archive {
 public:
  bool empty() const { return by_size_.empty(); }
  std::size_t size() const { return by_size_.size(); }
  /// The best list that is not larger; null if all are larger.
  const Contender* rival(std::size_t terms) const;
  /// Adds a list, unless one that is not larger is at least as good; drops larger ones that are not better.
  /// REQUIRES: all have returns of the same episodes.
  bool add(Contender contender);
  /// Plays all up to this many episodes, and drops what is not better than something smaller.
  void extend(const std::function<void(Contender&)>& play);
  /// The `number`-th, by size.
  const Contender& at(std::size_t number) const;
  const std::map<std::size_t, Contender>& by_size() const { return by_size_; }

 private:
  std::map<std::size_t, Contender> by_size_;
};

}  // namespace ndnf
