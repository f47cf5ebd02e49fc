#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/rules/moves.h"
#include "ndnf/rules/player.h"
#include "ndnf/rules/race.h"
#include "ndnf/rules/state_sample.h"

namespace ndnf {

/// The series of episodes of a run, by purpose: no decision is judged by the episodes that led to it.
inline constexpr std::uint64_t kTeacherSeries = 0;    ///< Shown by the teacher.
inline constexpr std::uint64_t kStudentSeries = 1;    ///< Played by distilled lists, labelled by the teacher.
inline constexpr std::uint64_t kTrainingSeries = 2;   ///< On which lists race.
inline constexpr std::uint64_t kSelectionSeries = 3;  ///< On which the front is chosen.
inline constexpr std::uint64_t kFigureSeries = 4;     ///< Of the figures that are reported.
inline constexpr std::uint64_t kConfirmSeries = 16;   ///< Plus the island: which a win must survive.

/// What islands share.
struct SearchSetting {
  PlayedTask stage;
  const Policy* teacher = nullptr;
  ListLimits limits;
  std::size_t most_terms = 24;
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;  ///< Of one island's whole search: sets the pace at which samples double.
};

/// One search on the return: keeps the best list of each size (Archive) and challenges them with mutants.
///
/// Of several mutants the one with the least regret on visited states races; one that decides there as its
/// rival does is skipped. A win must also survive half as many new episodes, else the search learns its
/// episodes by heart. As wins become rare new episodes, twice as many, take the place of the old ones: small
/// samples find the way fast, large ones tell good lists from lucky ones.
class Island {
 public:
  Island(const SearchSetting& setting, std::size_t number, const std::vector<Spread>& spreads,
         StateSample visited);

  /// Lets lists enter the archive without a race. REQUIRES: the search has not begun; their returns, if any,
  /// are of the episodes of the training series from `first_episode` on.
  void admit(const std::vector<Contender>& contenders, std::uint64_t first_episode);
  /// Searches for about this many steps more. `slice` numbers the calls: it selects the random numbers.
  void advance(std::uint64_t steps, std::uint64_t slice);
  /// Takes over what is better elsewhere.
  void merge(const Island& other);

  const Archive& archive() const { return archive_; }
  std::size_t episodes() const { return episodes_; }
  /// Lists that once were the best of their size, or did as well as those: the last ones.
  const std::vector<RuleList>& fame() const { return fame_; }
  std::uint64_t steps() const { return player_.steps() + steps_before_; }

  void append_to(std::vector<std::int64_t>& numbers, std::vector<double>& returns) const;
  void restore(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
               std::span<const double> returns, std::size_t& returns_at);

 private:
  void challenge(RandomSequence& random);
  const RuleList& drawn_parent(RandomSequence& random) const;
  RuleList drawn_challenger(RandomSequence& random);
  bool survives(const RuleList& challenger, const RuleList& incumbent);
  void play_on(const RuleList& list, std::vector<double>& returns, std::size_t count);
  void play_anew(Contender& contender);
  void remember(const RuleList& list);
  void look_around(const RuleList& list, RandomSequence& random);
  void double_episodes();

  const SearchSetting setting_;
  const std::size_t number_;
  const std::vector<Spread> spreads_;
  const Moves moves_;
  Player player_;
  StateSample visited_;
  Archive archive_;
  std::vector<RuleList> fame_;
  std::size_t episodes_;             ///< On which lists race,
  std::uint64_t first_episode_ = 0;  ///< from this one of the training series on.
  std::uint64_t steps_before_ = 0;   ///< Of a run that was resumed.
  std::uint64_t confirmed_ = 0;      ///< Episodes of the confirming series that were used.
  std::uint64_t watched_ = 0;
  std::size_t quiet_ = 0;         ///< Challenges since the last win.
  std::size_t misled_ = 0;        ///< Wins that did not survive, since the sample doubled.
  std::uint64_t doubled_at_ = 0;  ///< The step at which it did.
  std::vector<std::uint8_t> decisions_;
  std::vector<std::uint8_t> rival_decisions_;
};

}  // namespace ndnf
