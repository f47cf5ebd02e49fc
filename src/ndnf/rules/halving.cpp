#include "ndnf/rules/halving.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/rules/rule_policy.h"

namespace ndnf {
namespace {

using Kind = HalvingStage::Kind;

constexpr std::size_t kTies = 3;                ///< Lists of one size with the same return that go on.
constexpr std::size_t kDisturbedEpisodes = 32;  ///< They are told apart by episodes
constexpr double kDisturbance = 0.1;            ///< with this share of random actions.

constexpr double kWorthItsSize = 0.5;  ///< Standard errors by which a larger list must be ahead.

/// Whether a list is ahead of a smaller one by more than chance.
bool worth_more(const Contender& larger, const Contender& smaller) {
  const PairedDifference ahead = paired_difference(larger.returns, smaller.returns);
  return ahead.mean > kWorthItsSize * ahead.error;
}

/// By how many standard errors it is behind the best list that is not larger; 0 on the front.
double distance(const Contender& contender, const std::vector<Contender>& all) {
  const std::size_t terms = contender.list.term_count();
  const double mean = contender.mean();
  const Contender* best = nullptr;
  for (const Contender& other : all) {
    const std::size_t size = other.list.term_count();
    if (size > terms || &other == &contender) continue;
    const bool beats = size < terms ? other.mean() >= mean : other.mean() > mean;
    if (beats && (best == nullptr || other.mean() > best->mean())) best = &other;
  }
  if (best == nullptr) return 0;
  const PairedDifference behind = paired_difference(best->returns, contender.returns);
  constexpr double kTiny = 1e-9;  // a tie with a smaller list is behind, but not far
  return behind.mean > 0 ? behind.mean / std::max(behind.error, kTiny) : kTiny;
}

}  // namespace

Halving::Halving(std::vector<RuleList> lists, std::vector<HalvingStage> stages, EpisodeSeries series,
                 std::uint64_t limit)
    : stages_(std::move(stages)), series_(series), limit_(limit) {
  std::sort(lists.begin(), lists.end(), [](const RuleList& a, const RuleList& b) {
    return std::pair(a.term_count(), a) < std::pair(b.term_count(), b);
  });
  lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
  for (RuleList& list : lists) contenders_.push_back({std::move(list), {}});
}

/// How many more episodes of all that are left this part of all steps allows.
std::size_t Halving::affordable(double part) const {
  const auto end = static_cast<std::uint64_t>(part * static_cast<double>(limit_));
  if (end <= steps_ || played_ == 0) return 0;
  const double an_episode = static_cast<double>(steps_) / static_cast<double>(played_);
  const double a_round = std::max(1.0, an_episode * static_cast<double>(contenders_.size()));
  return static_cast<std::size_t>(static_cast<double>(end - steps_) / a_round);
}

/// The stage that is due; a fresh one if there are not enough steps for those before it. If there is none,
/// the stage has as many episodes as the steps allow, and is the last one.
HalvingStage Halving::due_stage() {
  HalvingStage stage = stages_[next_++];
  const std::size_t had = contenders_.front().returns.size();
  const bool more_of_the_same = stage.kind < Kind::kFresh;
  if (had == 0 || !more_of_the_same || had + affordable(stage.until) >= stage.episodes) return stage;
  const auto fresh = std::find_if(stages_.begin() + static_cast<std::ptrdiff_t>(next_), stages_.end(),
                                  [](const HalvingStage& later) { return later.kind >= Kind::kFresh; });
  if (fresh == stages_.end()) {
    stage.episodes = had + affordable(stage.until);
    next_ = stages_.size();
    return stage;
  }
  next_ = static_cast<std::size_t>(fresh - stages_.begin()) + 1;
  return *fresh;
}

void Halving::advance(Player& player) {
  const std::uint64_t before = player.steps();
  HalvingStage stage = due_stage();
  if (stage.kind == Kind::kLeaders) {
    play_leaders(stage.episodes, player);
    steps_ += player.steps() - before;
    return;
  }
  if (stage.kind == Kind::kFreshApart) {
    keep_apart();
    keep_nearest(stage.keep, player);
  }
  if (stage.kind >= Kind::kFresh) {
    const std::size_t had = contenders_.front().returns.size();
    stage.episodes = std::max(had, std::min(affordable(stage.until), stage.episodes));
    for (Contender& contender : contenders_) contender.returns.clear();
    first_ += had;
  }
  for (Contender& contender : contenders_) play_on(contender.list, contender.returns, stage.episodes, player);
  keep_nearest(stage.keep, player);
  if (stage.kind == Kind::kShortening) shorten(player);
  steps_ += player.steps() - before;
}

/// Of the front, drops what is not worth its size: what is ahead of the next smaller list that is kept by no
/// more than half a standard error. Lists of one size with the same return all stay.
void Halving::keep_apart() {
  std::vector<std::pair<std::size_t, std::size_t>> front;  // size, index
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    if (distance(contenders_[i], contenders_) == 0) front.emplace_back(contenders_[i].list.term_count(), i);
  }
  std::stable_sort(front.begin(), front.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> dropped;
  std::size_t last = front.front().second;
  for (const auto& [size, index] : front) {
    const bool alike = size == contenders_[last].list.term_count();
    if (alike || worth_more(contenders_[index], contenders_[last])) {
      last = index;
    } else {
      dropped.push_back(index);
    }
  }
  std::sort(dropped.rbegin(), dropped.rend());
  for (const std::size_t index : dropped)
    contenders_.erase(contenders_.begin() + static_cast<std::ptrdiff_t>(index));
}

/// The best list, and what is at most one standard error behind it, play half as many episodes again, until
/// the steps are used: what decides the pick is measured best.
void Halving::play_leaders(std::size_t episodes, Player& player) {
  const std::uint64_t end = player.steps() + (limit_ > steps_ ? limit_ - steps_ : 0);
  while (player.steps() < end) {
    const Contender& best =
        *std::max_element(contenders_.begin(), contenders_.end(),
                          [](const Contender& a, const Contender& b) { return a.mean() < b.mean(); });
    std::vector<std::size_t> leaders;
    std::size_t fewest = episodes;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      const PairedDifference behind = paired_difference(best.returns, contenders_[i].returns);
      if (behind.mean > behind.error) continue;
      leaders.push_back(i);
      fewest = std::min(fewest, contenders_[i].returns.size());
    }
    if (fewest >= episodes) return;
    const std::size_t more = std::min(episodes, fewest + (fewest + 1) / 2);
    for (const std::size_t i : leaders) {
      if (player.steps() < end) play_on(contenders_[i].list, contenders_[i].returns, more, player);
    }
  }
}

void Halving::play_on(const RuleList& list, std::vector<double>& returns, std::size_t count, Player& player) {
  const std::size_t lanes = player.lanes();
  const std::size_t episodes = (count + lanes - 1) / lanes * lanes;
  if (episodes <= returns.size()) return;
  played_ += episodes - returns.size();
  const auto more = player.returns(list, series_, first_ + returns.size(), episodes - returns.size());
  returns.insert(returns.end(), more.begin(), more.end());
}

/// From the largest list to the smallest, so that what became shorter is shortened again.
void Halving::shorten(Player& player) {
  constexpr std::uint64_t kPart = 4;  // of all steps, at most this part
  const std::uint64_t end = player.steps() + limit_ / kPart;
  Archive front;
  for (const Contender& contender : contenders_) front.add(contender);
  for (std::size_t size = front.at(front.size() - 1).list.term_count(); size > 0; --size) {
    const auto found = front.by_size().find(size);
    if (found == front.by_size().end()) continue;
    for (RuleList& shorter : shortened(found->second.list)) {
      const Contender* rival = front.rival(shorter.term_count());
      if (rival == nullptr) continue;
      if (player.steps() >= end) return;
      std::vector<double> returns;
      const auto play = [&](std::vector<double>& own, std::size_t count) {
        play_on(shorter, own, count, player);
      };
      if (race(*rival, play, returns) == RaceResult::kLost) continue;
      play_on(shorter, returns, rival->returns.size(), player);  // what is alike at first may differ later
      Contender joining{std::move(shorter), std::move(returns)};
      if (front.add(joining)) contenders_.push_back(std::move(joining));
    }
  }
}

void Halving::keep_nearest(std::size_t count, Player& player) {
  struct Standing {
    double behind;
    std::size_t terms;
    double unrobust;  ///< Of those on the front: the negative return under disturbance, if there are ties.
    std::size_t index;
    auto operator<=>(const Standing&) const = default;
  };
  std::vector<Standing> order;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    order.push_back({distance(contenders_[i], contenders_), contenders_[i].list.term_count(), 0, i});
    best = std::max(best, contenders_[i].mean());
  }
  std::map<std::size_t, std::size_t> ties;  // how many of each size are on the front
  for (const Standing& place : order) ties[place.terms] += place.behind == 0 ? 1 : 0;
  for (Standing& place : order) {
    if (place.behind == 0 && ties[place.terms] > kTies)
      place.unrobust = -disturbed_return(contenders_[place.index].list, player);
  }
  std::sort(order.begin(), order.end());
  std::map<std::size_t, std::size_t> taken;
  std::vector<Contender> kept;
  for (const Standing& place : order) {
    Contender& contender = contenders_[place.index];
    if (contender.list.rules.empty() && contender.mean() < best) continue;
    const bool on_front = place.behind == 0 && ++taken[place.terms] <= kTies;
    if (on_front || (place.behind > 0 && kept.size() < count)) kept.push_back(std::move(contender));
  }
  contenders_ = std::move(kept);
}

double Halving::disturbed_return(const RuleList& list, Player& player) const {
  const RulePolicy policy(list, player.features());
  double sum = 0;
  std::size_t played = 0;
  for (; played < kDisturbedEpisodes; played += player.lanes()) {
    for (const double own : player.watch(policy, kDisturbance, series_, played, nullptr)) sum += own;
  }
  return sum / static_cast<double>(played);
}

void Halving::append_to(std::vector<std::int64_t>& numbers, std::vector<double>& returns) const {
  for (const std::uint64_t own :
       {std::uint64_t{next_}, steps_, std::uint64_t{contenders_.size()}, first_, played_})
    numbers.push_back(static_cast<std::int64_t>(own));
  for (const Contender& contender : contenders_) {
    append(contender.list, numbers);
    numbers.push_back(static_cast<std::int64_t>(contender.returns.size()));
    returns.insert(returns.end(), contender.returns.begin(), contender.returns.end());
  }
}

void Halving::restore(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                      std::span<const double> returns, std::size_t& returns_at, const Features& features) {
  const auto fail = [&] { throw Error(where, "the state of its selection is damaged"); };
  constexpr std::size_t kHead = 5;
  if (numbers.size() - at < kHead) fail();
  const auto head = numbers.subspan(at, kHead);
  if (std::any_of(head.begin(), head.end(), [](std::int64_t n) { return n < 0; })) fail();
  next_ = static_cast<std::size_t>(head[0]);
  steps_ = static_cast<std::uint64_t>(head[1]);
  if (next_ > stages_.size() || head[2] < 1 || head[2] > 1 << 20) fail();
  first_ = static_cast<std::uint64_t>(head[3]);
  played_ = static_cast<std::uint64_t>(head[4]);
  at += kHead;
  contenders_.clear();
  for (std::int64_t left = head[2]; left > 0; --left) {
    Contender contender{read_list(where, numbers, at, features), {}};
    if (at >= numbers.size() || numbers[at] < 0) fail();
    const auto played = static_cast<std::uint64_t>(numbers[at++]);
    if (returns.size() - returns_at < played) fail();
    const auto first = returns.begin() + static_cast<std::ptrdiff_t>(returns_at);
    contender.returns.assign(first, first + static_cast<std::ptrdiff_t>(played));
    returns_at += played;
    contenders_.push_back(std::move(contender));
  }
  const auto played_none = [](const Contender& contender) { return contender.returns.empty(); };
  if (next_ > 0 && std::any_of(contenders_.begin(), contenders_.end(), played_none)) fail();
}

std::vector<Contender> front_of(const std::vector<Contender>& contenders) {
  Archive archive;
  for (const Contender& contender : contenders) archive.add(contender);
  std::vector<Contender> front;
  for (const auto& [terms, contender] : archive.by_size()) front.push_back(contender);
  return front;
}

std::size_t pick_from(const std::vector<Contender>& front) {
  const auto found = std::find_if(front.begin(), front.end() - 1,
                                  [&](const Contender& own) { return !worth_more(front.back(), own); });
  return static_cast<std::size_t>(found - front.begin());
}

}  // namespace ndnf
