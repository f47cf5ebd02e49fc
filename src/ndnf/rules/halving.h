#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ndnf/rules/player.h"
#include "ndnf/rules/race.h"

namespace ndnf {

/// A stage of sequential halving: all that are left play up to `episodes`, then `keep` of them go on, or
/// the whole front if it is larger. A constant action goes on only if nothing is better.
struct HalvingStage {
  std::size_t episodes = 0;
  std::size_t keep = 0;
  double until = 1;  ///< When it ends, at most this part of all steps is used.
  enum class Kind : std::uint8_t {
    kPlain,
    /// Then lists of the front without one of their rules or literals join in, where they are better than
    /// what is as small.
    kShortening,
    /// It is judged by its own episodes alone: those before have chosen who takes part, so they flatter all
    /// that are left. It takes the place of stages that would use up its steps.
    kFresh,
    /// The same, but only `keep` lists take part, and of the front only those that are apart from the next
    /// smaller one: the best of many lists that are about as good is flattered, too.
    kFreshApart,
    /// The leaders of the last stage alone play on, until the steps are used or they have all episodes.
    kLeaders,
  } kind = Kind::kPlain;
};

/// Finds the front of size against return among many lists with few episodes: all play a few, and in every
/// stage those nearest to the front play on. Near means few standard errors behind the best list that is not
/// larger, on the same episodes. Of many lists of one size with the same return, as where a step limit caps
/// it, those go on that earn most if a tenth of their actions is random: what fails seldom fails less then.
class Halving {
 public:
  /// Equal lists count once. `limit` is the number of steps after which no stage begins, except the first.
  Halving(std::vector<RuleList> lists, std::vector<HalvingStage> stages, EpisodeSeries series,
          std::uint64_t limit);

  bool done() const { return next_ == stages_.size(); }
  /// Plays the next stage.
  void advance(Player& player);
  /// What is left, the nearest to the front first. Their returns are those of the episodes from
  /// `first_episode` of the series on; leaders may have more of them.
  const std::vector<Contender>& contenders() const { return contenders_; }
  std::uint64_t first_episode() const { return first_; }

  void append_to(std::vector<std::int64_t>& numbers, std::vector<double>& returns) const;
  void restore(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
               std::span<const double> returns, std::size_t& returns_at, const Features& features);

 private:
  HalvingStage due_stage();
  std::size_t affordable(double part) const;
  void keep_apart();
  void play_leaders(std::size_t episodes, Player& player);
  void keep_nearest(std::size_t count, Player& player);
  void shorten(Player& player);
  void play_on(const RuleList& list, std::vector<double>& returns, std::size_t count, Player& player);
  double disturbed_return(const RuleList& list, Player& player) const;

  std::vector<Contender> contenders_;
  std::vector<HalvingStage> stages_;
  EpisodeSeries series_;
  std::uint64_t limit_;
  std::uint64_t steps_ = 0;
  std::size_t next_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t played_ = 0;  ///< Episodes of all that ever took part.
};

/// Those that are better than all smaller ones, by size.
std::vector<Contender> front_of(const std::vector<Contender>& contenders);

/// The smallest of a front that is not worse than its best by more than half a standard error of the
/// difference, on the episodes that both have.
std::size_t pick_from(const std::vector<Contender>& front);

}  // namespace ndnf
