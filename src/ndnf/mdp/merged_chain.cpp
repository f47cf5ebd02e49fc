#include "ndnf/mdp/merged_chain.h"

#include <algorithm>
#include <utility>

namespace ndnf {
namespace {

/// Sorts the entries from `begin` on by key, in place, and merges entries with equal keys by adding their
/// probabilities.
template <class Entry, class Key>
void merge_tail(std::vector<Entry>& entries, std::size_t begin, Key key) {
  const auto first = entries.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(first, entries.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  auto last = first;
  for (auto it = first; it != entries.end(); ++it) {
    if (last != first && key(*(last - 1)) == key(*it)) {
      (last - 1)->probability += it->probability;
    } else {
      *last++ = *it;
    }
  }
  entries.erase(last, entries.end());
}

}  // namespace

MergedChain::MergedChain(const InducedChain& chain) : rewards_(chain.model().state_count(), 0.0) {
  move_ends_.reserve(rewards_.size());
  ending_ends_.reserve(rewards_.size());
  for (StateId s = 0; s < rewards_.size(); ++s) {
    const std::size_t first_move = moves_.size();
    const std::size_t first_ending = endings_.size();
    chain.for_each_step(s, [&](double taken, const Outcome& outcome) {
      const double probability = taken * outcome.probability;
      rewards_[s] += probability * outcome.reward;
      if (outcome.terminal) {
        endings_.push_back({probability, outcome.next, outcome.tag});
      } else {
        moves_.push_back({probability, outcome.next});
      }
    });
    merge_tail(moves_, first_move, [](const Move& move) { return move.next; });
    merge_tail(endings_, first_ending,
               [](const Ending& ending) { return std::pair(ending.next, ending.tag); });
    move_ends_.push_back(moves_.size());
    ending_ends_.push_back(endings_.size());
  }
}

}  // namespace ndnf
