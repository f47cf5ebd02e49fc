#include "ndnf/mdp/visited_chain.h"

#include <algorithm>
#include <limits>

#include "ndnf/mdp/compensated_sum.h"

namespace ndnf {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
/// Probabilities below this count as 0: they change no figure, and denormal numbers are slow.
constexpr double kNever = 1e-300;

}  // namespace

VisitedChain::VisitedChain(const InducedChain& chain) : model_(chain.model()) {
  find_states(chain);
  gather_moves(chain);
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
  std::vector<std::size_t> free(count + 1, 0);
  std::vector<std::uint32_t> last(count, kNone);
  const auto for_each_move = [&](auto visit) {
    for (std::uint32_t i = 0; i < count; ++i) {
      chain.for_each_step(states_[i], [&](double taken, const Outcome& outcome) {
        if (outcome.terminal || number_[outcome.next] == kNone) return;
        visit(i, number_[outcome.next], taken * outcome.probability);
      });
    }
  };
  lowest_.assign(count + 1, kNone);
  highest_.assign(count + 1, 0);  // one behind the highest
  for_each_move([&](std::uint32_t i, std::uint32_t target, double) {
    if (last[target] != i) ++free[target + 1];
    last[target] = i;
    lowest_[i] = std::min(lowest_[i], target);
    highest_[i] = std::max(highest_[i], target + 1);
  });
  for (std::size_t i = 0; i < count; ++i) free[i + 1] += free[i];
  for (std::size_t i = count; i-- > 0;) lowest_[i] = std::min(lowest_[i], lowest_[i + 1]);
  for (std::size_t i = 1; i < count; ++i) highest_[i] = std::max(highest_[i], highest_[i - 1]);
  in_ends_.assign(free.begin() + 1, free.end());
  probability_.assign(in_ends_.empty() ? 0 : in_ends_.back(), 0.0);
  from_.resize(probability_.size());
  std::fill(last.begin(), last.end(), kNone);
  for_each_move([&](std::uint32_t i, std::uint32_t target, double probability) {
    if (last[target] != i) from_[free[target]++] = i;
    last[target] = i;
    probability_[free[target] - 1] += probability;
  });
}

VisitedChain::Range VisitedChain::after(Range now) const {
  if (now.empty()) return {};
  return {lowest_[now.begin], highest_[now.end - 1]};
}

// Starts with the start distribution and pulls the probabilities of the next step out of those of this one,
// up to the horizon. Only the range in which something can be is looked at: a chain that moves on through
// many states, a few at a time, costs a few per step.
std::vector<double> VisitedChain::expected_visits() const {
  const std::size_t count = states_.size();
  std::vector<double> now(count, 0.0);
  std::vector<double> next(count, 0.0);
  std::vector<double> visits(count, 0.0);
  std::vector<double> errors(count, 0.0);  // of the sums in `visits`
  for (const Start& start : model_.starts()) now[number_[start.state]] += start.probability;
  visits = now;
  Range range{0, static_cast<std::uint32_t>(count)};
  Range written{};  // what `next` may hold from two steps ago
  for (std::size_t step = 1; step < model_.horizon(); ++step) {
    while (!range.empty() && now[range.begin] == 0) ++range.begin;
    while (!range.empty() && now[range.end - 1] == 0) --range.end;
    const Range target = after(range);
    if (target.empty()) break;
    std::fill(next.begin() + written.begin, next.begin() + std::max(written.begin, written.end), 0.0);
    std::size_t k = target.begin == 0 ? 0 : in_ends_[target.begin - 1];
    for (std::uint32_t i = target.begin; i < target.end; ++i) {
      double sum = 0;
      for (const std::size_t end = in_ends_[i]; k < end; ++k) sum += probability_[k] * now[from_[k]];
      sum = sum < kNever ? 0 : sum;
      next[i] = sum;
      const TwoSum total = two_sum(visits[i], sum);
      visits[i] = total.sum;
      errors[i] += total.error;
    }
    written = range;
    range = target;
    now.swap(next);
  }
  for (std::size_t i = 0; i < count; ++i) visits[i] += errors[i];
  return visits;
}

}  // namespace ndnf
