#include "ndnf/mdp/visited_chain.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "ndnf/mdp/compensated_sum.h"
#include "ndnf/mdp/endless_equations.h"

namespace ndnf {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
/// Probabilities below this count as 0: they change no figure, and denormal numbers are slow.
constexpr double kNever = 1e-300;
constexpr std::uint32_t kLanes = 4;

/// Steps whose probabilities are added up without compensation: all are positive, so the relative error of
/// such a sum is at most kBlock units in the last place.
constexpr std::size_t kBlock = 64;

/// Many sums of many terms: plain within a block of terms, compensated from block to block.
class BlockwiseSums {
 public:
  explicit BlockwiseSums(std::vector<double> first)
      : sums_(std::move(first)), errors_(sums_.size(), 0.0), block_(sums_.size(), 0.0) {}

  double* block() { return block_.data(); }
  void close_block() {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const TwoSum total = two_sum(sums_[i], block_[i]);
      sums_[i] = total.sum;
      errors_[i] += total.error;
      block_[i] = 0;
    }
  }
  std::vector<double> totals() {
    close_block();
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += errors_[i];
    return std::move(sums_);
  }

 private:
  std::vector<double> sums_;
  std::vector<double> errors_;
  std::vector<double> block_;
};

}  // namespace

VisitedChain::VisitedChain(const InducedChain& chain, double discount)
    : chain_(chain), model_(chain.model()), discount_(discount) {
  find_states(chain);
  if (!model_.endless()) gather_moves(chain);
}

std::vector<double> VisitedChain::expected_visits() const {
  if (!model_.endless()) return visits_within_horizon();
  return EndlessEquations<double>(chain_, states_, discount_).visits(model_.starts());
}

void VisitedChain::find_states(const InducedChain& chain) {
  number_.assign(model_.state_count(), kNone);
  const auto enter = [&](StateId s) {
    if (number_[s] != kNone) return;
    number_[s] = static_cast<std::uint32_t>(states_.size());
    states_.push_back(s);
  };
  for (const Start& start : model_.starts()) enter(start.state);
  std::size_t begin = 0;
  for (std::size_t depth = 1; depth < model_.horizon() && begin < states_.size(); ++depth) {
    for (const std::size_t end = states_.size(); begin < end; ++begin) {
      chain.for_each_step(states_[begin], [&](double, const Outcome& outcome) {
        if (!outcome.terminal) enter(outcome.next);
      });
    }
  }
}

// A counting sort by target. Sources come in order, so what one source contributes to a target by several
// outcomes is consecutive there and merged into one move.
void VisitedChain::gather_moves(const InducedChain& chain) {
  const std::size_t count = states_.size();
  std::vector<std::uint32_t> moves(count, 0);  // into each state
  std::vector<std::uint32_t> last(count, kNone);
  const auto for_each_move = [&](auto visit) {
    for (std::uint32_t i = 0; i < count; ++i) {
      chain.for_each_step(states_[i], [&](double taken, const Outcome& outcome) {
        if (outcome.terminal || number_[outcome.next] == kNone) return;
        const std::uint32_t target = number_[outcome.next];
        if (last[target] != i) ++moves[target];
        last[target] = i;
        visit(i, target, taken * outcome.probability * discount_);
      });
    }
  };
  lowest_.assign(count + 1, kNone);
  highest_.assign(count + 1, 0);  // one behind the highest
  for_each_move([&](std::uint32_t i, std::uint32_t target, double) {
    lowest_[i] = std::min(lowest_[i], target);
    highest_[i] = std::max(highest_[i], target + 1);
  });
  for (std::size_t i = count; i-- > 0;) lowest_[i] = std::min(lowest_[i], lowest_[i + 1]);
  for (std::size_t i = 1; i < count; ++i) highest_[i] = std::max(highest_[i], highest_[i - 1]);
  begins_.assign(1, 0);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const auto first = moves.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = moves.begin() + static_cast<std::ptrdiff_t>(std::min(i + kLanes, count));
    begins_.push_back(begins_.back() + kLanes * *std::max_element(first, end));
  }
  probability_.assign(begins_.back(), 0.0);
  from_.assign(begins_.back(), 0);
  std::fill(moves.begin(), moves.end(), 0);
  std::fill(last.begin(), last.end(), kNone);
  for_each_move([&](std::uint32_t i, std::uint32_t target, double probability) {
    const std::size_t entry = begins_[target / kLanes] + kLanes * (moves[target] - 1) + target % kLanes;
    from_[entry] = i;
    probability_[entry] += probability;
  });
}

VisitedChain::Range VisitedChain::after(Range now) const {
  if (now.empty()) return {};
  const std::uint32_t begin = lowest_[now.begin];
  const std::uint32_t end = highest_[now.end - 1];
  if (begin >= end) return {};
  return {begin / kLanes * kLanes, (end + kLanes - 1) / kLanes * kLanes};
}

// Starts with the start distribution and pulls the probabilities of the next step out of those of this one,
// up to the horizon: four sums at a time, which do not wait for each other. Only the range in which something
// can be is looked at: a chain that moves on through many states, a few at a time, costs a few per step.
std::vector<double> VisitedChain::visits_within_horizon() const {
  const std::size_t count = kLanes * (begins_.size() - 1);
  std::vector<double> now(count, 0.0);
  std::vector<double> next(count, 0.0);
  for (const Start& start : model_.starts()) now[number_[start.state]] += start.probability;
  BlockwiseSums visits(now);
  Range range{0, static_cast<std::uint32_t>(count)};
  Range written{};  // what `next` may hold from two steps ago
  for (std::size_t step = 1; step < model_.horizon(); ++step) {
    while (!range.empty() && now[range.begin] == 0) ++range.begin;
    while (!range.empty() && now[range.end - 1] == 0) --range.end;
    const Range target = after(range);
    if (target.empty()) break;
    std::fill(next.begin() + written.begin, next.begin() + std::max(written.begin, written.end), 0.0);
    for (std::size_t c = target.begin / kLanes; c < target.end / kLanes; ++c) {
      std::array<double, kLanes> sums{};
      for (std::size_t k = begins_[c]; k < begins_[c + 1]; k += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          sums[lane] += probability_[k + lane] * now[from_[k + lane]];
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t i = kLanes * c + lane;
        next[i] = sums[lane] < kNever ? 0 : sums[lane];
        visits.block()[i] += next[i];
      }
    }
    if (step % kBlock == 0) visits.close_block();
    written = range;
    range = target;
    now.swap(next);
  }
  std::vector<double> sums = visits.totals();
  sums.resize(states_.size());
  return sums;
}

}  // namespace ndnf
