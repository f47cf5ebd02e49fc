#include "ndnf/rules/island.h"

#include <algorithm>
#include <utility>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

constexpr std::uint64_t kMoveStreams = std::uint64_t{1} << 42;
constexpr std::size_t kFirstEpisodes = 16;
constexpr std::size_t kMostEpisodes = 512;
constexpr std::size_t kMutants = 8;
constexpr std::size_t kPatience = 300;  ///< Quiet challenges after which the sample doubles,
constexpr std::uint64_t kPace = 8;      ///< but not before this part of the search has passed.
constexpr std::size_t kMisled = 6;      ///< Wins that did not survive, after which it doubles.
constexpr std::size_t kFame = 64;
constexpr std::size_t kNewStates = 64;
/// The series of episodes in which incumbents are watched.
constexpr std::uint64_t kWatchSeries = 1 << 10;

std::size_t in_lanes(std::size_t count, std::size_t lanes) { return (count + lanes - 1) / lanes * lanes; }

}  // namespace

Island::Island(const SearchSetting& setting, std::size_t number, const std::vector<Spread>& spreads,
               StateSample visited)
    : setting_(setting),
      number_(number),
      spreads_(spreads),
      moves_(*setting_.stage.features, spreads_, setting_.limits),
      player_(setting.stage),
      visited_(std::move(visited)),
      episodes_(in_lanes(kFirstEpisodes, setting.stage.lanes)) {}

void Island::play_on(const RuleList& list, std::vector<double>& returns, std::size_t count) {
  count = in_lanes(count, player_.lanes());
  if (returns.size() >= count) return;
  const auto more = player_.returns(list, {setting_.seed, kTrainingSeries}, first_episode_ + returns.size(),
                                    count - returns.size());
  returns.insert(returns.end(), more.begin(), more.end());
}

void Island::play_anew(Contender& contender) {
  contender.returns.clear();
  play_on(contender.list, contender.returns, episodes_);
}

void Island::admit(const std::vector<Contender>& contenders, std::uint64_t first_episode) {
  first_episode_ = first_episode;
  for (const Contender& contender : contenders) episodes_ = std::max(episodes_, contender.returns.size());
  for (Contender contender : contenders) {
    play_on(contender.list, contender.returns, episodes_);
    const RuleList list = contender.list;
    if (archive_.add(std::move(contender))) remember(list);
  }
}

void Island::advance(std::uint64_t steps, std::uint64_t slice) {
  RandomSequence random(RandomStream(setting_.seed, kMoveStreams + number_), slice << 32);
  const std::uint64_t end = player_.steps() + steps;
  // Challenges that are skipped cost no steps: their number is limited, too.
  for (std::uint64_t tries = 0; player_.steps() < end && tries < steps; ++tries) challenge(random);
}

/// Often one of the largest quarter, which are the best: most sizes are too small to earn much.
const RuleList& Island::drawn_parent(RandomSequence& random) const {
  constexpr std::uint32_t kFamous = 5;  // one of so many comes from the hall of fame
  if (!fame_.empty() && random.below(kFamous) == 0)
    return fame_[random.below(static_cast<std::uint32_t>(fame_.size()))];
  const auto sizes = static_cast<std::uint32_t>(archive_.size());
  const std::uint32_t from_the_largest = random.below(random.below(2) == 0 ? sizes : (sizes + 3) / 4);
  return archive_.at(sizes - 1 - from_the_largest).list;
}

RuleList Island::drawn_challenger(RandomSequence& random) {
  const RuleList& parent = drawn_parent(random);
  const RuleList& other = archive_.at(random.below(static_cast<std::uint32_t>(archive_.size()))).list;
  // The teacher is not always right: half of the challengers are not screened by its regrets.
  const std::size_t mutants = random.below(2) == 0 ? kMutants : 1;
  RuleList best = parent;
  std::int64_t least = -1;
  for (std::size_t i = 0; i < mutants; ++i) {
    RuleList mutant = moves_.changed(parent, visited_, other, random);
    if (mutant == parent || mutant.term_count() > setting_.most_terms) continue;
    write_decisions(mutant, visited_, decisions_);
    const std::int64_t regret = regret_of(decisions_, visited_);
    if (least >= 0 && regret >= least) continue;
    const Contender* rival = archive_.rival(mutant.term_count());
    if (rival == nullptr) continue;
    write_decisions(rival->list, visited_, rival_decisions_);
    if (decisions_ == rival_decisions_) continue;
    least = regret;
    best = std::move(mutant);
  }
  return best;
}

void Island::challenge(RandomSequence& random) {
  const RuleList challenger = drawn_challenger(random);
  const Contender* rival = archive_.rival(challenger.term_count());
  if (rival == nullptr || rival->list == challenger) return;
  std::vector<double> returns;
  const RaceResult result = race(
      *rival, [&](std::vector<double>& own, std::size_t count) { play_on(challenger, own, count); }, returns);
  ++quiet_;
  if (result == RaceResult::kAlike) remember(challenger);
  if (result == RaceResult::kWon) {
    if (survives(challenger, rival->list)) {
      quiet_ = 0;
      archive_.add({challenger, std::move(returns)});
      remember(challenger);
      look_around(challenger, random);
    } else {
      ++misled_;
    }
  }
  const bool due = steps() - doubled_at_ >= setting_.steps / kPace;
  if (due && (quiet_ >= kPatience || misled_ >= kMisled)) double_episodes();
}

bool Island::survives(const RuleList& challenger, const RuleList& incumbent) {
  const std::size_t count = in_lanes(std::max<std::size_t>(2, episodes_ / 2), player_.lanes());
  const EpisodeSeries series{setting_.seed, kConfirmSeries + number_};
  const auto own = player_.returns(challenger, series, confirmed_, count);
  const auto other = player_.returns(incumbent, series, confirmed_, count);
  confirmed_ += count;
  return paired_difference(own, other).mean >= 0;
}

void Island::remember(const RuleList& list) {
  const auto known = std::find(fame_.begin(), fame_.end(), list);
  if (known != fame_.end()) fame_.erase(known);
  fame_.push_back(list);
  if (fame_.size() > kFame) fame_.erase(fame_.begin());
}

/// New visited states from an episode of the new incumbent.
void Island::look_around(const RuleList& list, RandomSequence& random) {
  StateSample seen(visited_.feature_count(), visited_.action_count());
  std::vector<std::int32_t> row(visited_.feature_count());
  std::vector<std::int32_t> regrets(visited_.action_count());
  std::vector<double> probabilities(visited_.action_count());
  // Of a long episode only some states are labelled: the others would not be used.
  player_.watch(list, {setting_.seed, kWatchSeries + number_}, watched_,
                [&](const ObservationTable& table, ObsId obs) {
                  if (random.below(4) != 0 || seen.size() >= 4 * kNewStates) return;
                  setting_.stage.features->write(table, obs, row);
                  setting_.teacher->probabilities(table, std::span(&obs, 1), probabilities);
                  write_regrets(probabilities, regrets);
                  seen.add(row, regrets);
                });
  watched_ += player_.lanes();
  seen.thin(kNewStates, random);
  for (std::size_t s = 0; s < seen.size(); ++s) {
    std::vector<std::int32_t> labels;
    for (ActionId a = 0; a < seen.action_count(); ++a) labels.push_back(seen.regrets(a)[s]);
    visited_.set(random.below(static_cast<std::uint32_t>(visited_.size())), seen.row(s), labels);
  }
}

void Island::double_episodes() {
  quiet_ = misled_ = 0;
  doubled_at_ = steps();
  if (episodes_ >= kMostEpisodes) return;
  first_episode_ += episodes_;
  episodes_ *= 2;
  archive_.extend([&](Contender& contender) { play_anew(contender); });
}

/// Islands whose samples are of one size race on the same episodes.
void Island::merge(const Island& other) {
  if (other.episodes_ > episodes_) {
    first_episode_ = other.first_episode_;
    episodes_ = other.episodes_;
    archive_.extend([&](Contender& contender) { play_anew(contender); });
  }
  for (const auto& [terms, contender] : other.archive_.by_size()) {
    Contender own = contender;
    if (other.episodes_ < episodes_) play_anew(own);
    archive_.add(std::move(own));
  }
}

void Island::append_to(std::vector<std::int64_t>& numbers, std::vector<double>& returns) const {
  const auto put = [&](auto number) { numbers.push_back(static_cast<std::int64_t>(number)); };
  put(steps());
  put(episodes_);
  put(first_episode_);
  put(confirmed_);
  put(watched_);
  put(quiet_);
  put(misled_);
  put(doubled_at_);
  put(archive_.size());
  for (const auto& [terms, contender] : archive_.by_size()) {
    append(contender.list, numbers);
    returns.insert(returns.end(), contender.returns.begin(), contender.returns.end());
  }
  append(fame_, numbers);
  visited_.append_to(numbers);
}

void Island::restore(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                     std::span<const double> returns, std::size_t& returns_at) {
  constexpr std::int64_t kMany = std::int64_t{1} << 60;
  const auto next = [&](std::int64_t most) {
    if (at >= numbers.size() || numbers[at] < 0 || numbers[at] > most)
      throw Error(where, "the state of its search is damaged");
    return static_cast<std::size_t>(numbers[at++]);
  };
  const Features& features = *setting_.stage.features;
  steps_before_ = next(kMany);
  episodes_ = next(1 << 20);
  first_episode_ = next(kMany);
  confirmed_ = next(kMany);
  watched_ = next(kMany);
  quiet_ = next(kMany);
  misled_ = next(kMany);
  doubled_at_ = next(kMany);
  archive_ = {};
  for (std::size_t left = next(1 << 20); left > 0; --left) {
    Contender contender{read_list(where, numbers, at, features), {}};
    if (returns.size() - returns_at < episodes_) throw Error(where, "the state of its search is damaged");
    const auto first = returns.begin() + static_cast<std::ptrdiff_t>(returns_at);
    contender.returns.assign(first, first + static_cast<std::ptrdiff_t>(episodes_));
    returns_at += episodes_;
    archive_.add(std::move(contender));
  }
  fame_ = read_lists(where, numbers, at, features);
  visited_ = StateSample::read(where, numbers, at, features.size(), features.vocabulary().action_count());
}

}  // namespace ndnf
