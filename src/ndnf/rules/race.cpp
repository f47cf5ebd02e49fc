#include "ndnf/rules/race.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ndnf {

double Contender::mean() const {
  return std::accumulate(returns.begin(), returns.end(), 0.0) / static_cast<double>(returns.size());
}

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b) {
  const std::size_t count = std::min(a.size(), b.size());
  if (count == 0) return {};
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] - b[i];
  const double mean = sum / static_cast<double>(count);
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  const double error = count > 1 ? std::sqrt(squares / static_cast<double>(count * (count - 1))) : 0;
  return {mean, error};
}

RaceResult race(const Contender& incumbent, const PlayOn& play_on, std::vector<double>& returns) {
  constexpr std::size_t kAlikeAfter = 16;
  const std::size_t all = incumbent.returns.size();
  for (std::size_t count = 1;; count = std::min(all, std::max(count + 1, count + count / 2))) {
    play_on(returns, count);
    if (returns.size() <= 1 || count == 1) {
      const double worst = *std::min_element(incumbent.returns.begin(), incumbent.returns.end());
      if (returns.front() < worst) return RaceResult::kLost;
    }
    const PairedDifference ahead = paired_difference(returns, incumbent.returns);
    if (returns.size() > 1 && ahead.mean + ahead.error < 0) return RaceResult::kLost;
    const bool same = ahead.mean == 0 && ahead.error == 0;
    if (same && returns.size() >= std::min(all, kAlikeAfter)) return RaceResult::kAlike;
    if (returns.size() >= all) return ahead.mean > 0 ? RaceResult::kWon : RaceResult::kLost;
  }
}

const Contender* Archive::rival(std::size_t terms) const {
  const auto after = by_size_.upper_bound(terms);
  return after == by_size_.begin() ? nullptr : &std::prev(after)->second;
}

bool Archive::add(Contender contender) {
  const std::size_t terms = contender.list.term_count();
  const double mean = contender.mean();
  const Contender* smaller = rival(terms);
  if (smaller != nullptr && smaller->mean() >= mean) return false;
  by_size_[terms] = std::move(contender);
  for (auto next = by_size_.upper_bound(terms); next != by_size_.end();)
    next = next->second.mean() <= mean ? by_size_.erase(next) : std::next(next);
  return true;
}

void Archive::extend(const std::function<void(Contender&)>& play) {
  std::map<std::size_t, Contender> all = std::move(by_size_);
  by_size_.clear();
  for (auto& [terms, contender] : all) {
    play(contender);
    add(std::move(contender));
  }
}

const Contender& Archive::at(std::size_t number) const {
  return std::next(by_size_.begin(), static_cast<std::ptrdiff_t>(number))->second;
}

}  // namespace ndnf
