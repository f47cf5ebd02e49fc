#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ndnf/base/random.h"
#include "ndnf/rules/features.h"
#include "ndnf/rules/rule_list.h"
#include "ndnf/rules/state_sample.h"

namespace ndnf {

/// A literal, and the sum of the weights of the states where it holds.
struct WeighedLiteral {
  std::int64_t gain = 0;
  SumLiteral literal;
};

/// Looks for literals that hold where the weights of states are large. A histogram of the weights over the
/// values of a feature or a sum gives its best bound in one pass; sums are drawn at random, and the best one
/// is then improved by random changes of its factors.
class LiteralSearch {
 public:
  LiteralSearch(const StateSample& sample, const Features& features, bool linear);

  /// How many sums are drawn, and how many changes of the best one are tried.
  struct Effort {
    std::size_t draws = 8;
    std::size_t changes = 8;
  };

  /// The weights of the states, for the calls that follow. Many states may weigh nothing: they cost nothing.
  void weigh(std::span<const std::int32_t> weights);
  /// The best literal of every number of terms: 1, 2, 3. Fewer if sums are excluded.
  std::vector<WeighedLiteral> best(const Effort& effort, RandomSequence& random);
  /// The best literal found that has no more terms than `literal`, which is where the search starts: itself,
  /// if none is better.
  SumLiteral best_instead(const SumLiteral& literal, const Effort& effort, RandomSequence& random);

 private:
  void add_up(const std::vector<SumTerm>& terms);
  std::int64_t gain_of(const SumLiteral& literal);
  /// The best bound and side for a sum.
  WeighedLiteral divide(const std::vector<SumTerm>& terms);
  void improve(WeighedLiteral& best, std::size_t changes, RandomSequence& random);

  const StateSample& sample_;
  const Features& features_;
  const std::vector<Spread> spreads_;
  std::vector<std::uint32_t> varying_;              ///< Features.
  std::vector<std::uint32_t> numbers_;              ///< Those of them that sums can be about.
  std::vector<std::uint32_t> states_;               ///< That weigh something.
  std::vector<std::int32_t> weights_;               ///< Theirs.
  std::vector<std::vector<std::int32_t>> columns_;  // (features, states that weigh something)
  std::vector<std::int32_t> sums_;
  std::vector<std::int64_t> histogram_;
};

}  // namespace ndnf
