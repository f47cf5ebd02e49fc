#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ndnf/mdp/policy.h"
#include "ndnf/rules/distillation.h"
#include "ndnf/rules/player.h"
#include "ndnf/rules/state_sample.h"

namespace ndnf {

/// Distillation in rounds (DAgger, Ross et al., 2011): lists learn what the teacher does in the states that
/// the lists of earlier rounds led to. Every list of every round is kept: what imitates best need not earn
/// most.
class ImitationRounds {
 public:
  struct Options {
    ListLimits limits;
    std::size_t most_terms = 12;
    std::size_t states = 4096;  ///< At most.
    std::uint64_t seed = 0;
  };
  ImitationRounds(PlayedTask stage, const Options& options);

  /// The next round: new states (of the teacher's own episodes in the first round), then new lists.
  void advance(const Policy& teacher, Player& player);

  std::size_t rounds() const { return round_; }
  const StateSample& sample() const { return sample_; }
  const std::vector<RuleList>& pool() const { return pool_; }

  void append_to(std::vector<std::int64_t>& numbers) const;
  void restore(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at);

 private:
  void watch_teacher(const Policy& teacher, Player& player);
  void watch_students(const Policy& teacher, Player& player, RandomSequence& random);

  const PlayedTask stage_;
  const Options options_;
  StateSample sample_;
  std::vector<RuleList> pool_;
  std::vector<RuleList> students_;  ///< Of the last round.
  std::uint64_t episodes_ = 0;      ///< Of students.
  std::size_t round_ = 0;
};

}  // namespace ndnf
