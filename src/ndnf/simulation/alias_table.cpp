#include "ndnf/simulation/alias_table.h"

#include <cmath>
#include <numeric>

namespace ndnf {

void AliasTable::reserve(std::size_t rows, std::size_t entries) {
  rows_.reserve(rows);
  slots_.reserve(entries);
}

// Vose's construction. Scale the probabilities so that their mean is 1, one unit per slot. Repeatedly take
// an entry below 1 ("poor") and one at or above 1 ("rich"); the rich entry fills up the poor one's slot and
// keeps the rest. Each slot then holds at most two entries: its own, up to a threshold, and one alias. A
// draw picks a slot uniformly and compares with its threshold. Building a row costs O(entries).
void AliasTable::add_row(std::span<const double> probabilities) {
  const auto begin = static_cast<std::uint32_t>(slots_.size());
  const auto count = static_cast<std::uint32_t>(probabilities.size());
  rows_.push_back({begin, count});
  if (count == 1) {
    slots_.push_back({0xFFFFFFFFu, begin});
    return;
  }
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  if (sum == 0) {
    slots_.resize(slots_.size() + count, Slot{0, begin});
    return;
  }

  std::vector<double> share(count);  // probability in units of one slot
  std::vector<std::uint32_t> poor;
  std::vector<std::uint32_t> rich;
  for (std::uint32_t i = 0; i < count; ++i) {
    share[i] = probabilities[i] * count / sum;
    (share[i] < 1 ? poor : rich).push_back(i);
  }
  const std::size_t base = slots_.size();
  for (std::uint32_t i = 0; i < count; ++i) slots_.push_back({0xFFFFFFFFu, begin + i});
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t receiver = poor.back();
    const std::uint32_t giver = rich.back();
    poor.pop_back();
    slots_[base + receiver] = {static_cast<std::uint32_t>(std::lround(share[receiver] * 4294967295.0)),
                               begin + giver};
    share[giver] -= 1 - share[receiver];
    if (share[giver] < 1) {
      rich.pop_back();
      poor.push_back(giver);
    }
  }
}

}  // namespace ndnf
