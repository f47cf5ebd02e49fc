#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/rules/rule_list.h"

namespace ndnf {

/// Regrets are whole numbers of this part of 1, so that their sums are exact in any order.
inline constexpr std::int32_t kRegretUnit = 1024;

/// What a teacher says of one observation: per action by how much it prefers its best action,
/// min(4, log max p − log p(action)), in kRegretUnits. It weighs observations as gaps of action values do:
/// where all actions are about as good, a mistake costs little.
void write_regrets(std::span<const double> probabilities, std::span<std::int32_t> regrets);

/// Observations that were visited, with a teacher's regrets: one column of integers per feature.
class StateSample {
 public:
  StateSample(std::size_t features, std::size_t actions) : columns_(features), regrets_(actions) {}

  std::size_t size() const { return regrets_.front().size(); }
  std::size_t feature_count() const { return columns_.size(); }
  std::size_t action_count() const { return regrets_.size(); }
  const std::vector<std::int32_t>& column(std::size_t feature) const { return columns_[feature]; }
  const std::vector<std::int32_t>& regrets(ActionId action) const { return regrets_[action]; }
  std::vector<std::int32_t> row(std::size_t state) const;

  void add(std::span<const std::int32_t> row, std::span<const std::int32_t> regrets);
  /// Replaces a state.
  void set(std::size_t state, std::span<const std::int32_t> row, std::span<const std::int32_t> regrets);
  /// Adds states of another sample.
  void add(const StateSample& other, std::span<const std::uint32_t> states);
  /// Keeps this many, drawn at random; all, if there are no more.
  void thin(std::size_t most, RandomSequence& random);

  void append_to(std::vector<std::int64_t>& numbers) const;
  /// Throws Error naming `where` if they are no such sample.
  static StateSample read(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                          std::size_t features, std::size_t actions);

 private:
  std::vector<std::vector<std::int32_t>> columns_;  // (features, states)
  std::vector<std::vector<std::int32_t>> regrets_;  // (actions, states)
};

/// This many different numbers below `bound`, in random order.
std::vector<std::uint32_t> drawn_without_repetition(std::size_t count, std::size_t bound,
                                                    RandomSequence& random);

/// One truth value per state.
using TruthColumn = std::vector<std::uint8_t>;

/// Where a comparison holds, where a whole rule does, and what a list decides.
void write_truth(const SumLiteral& comparison, const StateSample& sample, TruthColumn& truth);
void write_truth(const ListedRule& rule, const StateSample& sample, TruthColumn& truth);
void write_decisions(const RuleList& list, const StateSample& sample, std::vector<std::uint8_t>& actions);

/// The sum of the regrets of these decisions.
std::int64_t regret_of(std::span<const std::uint8_t> actions, const StateSample& sample);

/// How a feature or a sum varies over a sample, and where bounds are put: at multiples of `step`, a round
/// number of about a hundredth of the spread.
struct Spread {
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::int32_t step = 1;

  bool varies() const { return high > low; }
  std::int32_t rounded(double bound) const;
};

/// All but the lowest and the highest half per cent of the values count.
Spread spread_of(std::span<const std::int32_t> values);
/// That of every feature.
std::vector<Spread> spreads_of(const StateSample& sample);

}  // namespace ndnf
