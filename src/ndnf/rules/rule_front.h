#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ndnf/rules/rule_list.h"

namespace ndnf {

/// Sampled returns of one policy.
struct SampledReturn {
  double mean = 0;
  double error = 0;  ///< Standard error; NaN for a single episode.
  double worst = 0;
  std::size_t episodes = 0;
};
SampledReturn sampled_return(std::span<const double> returns);

/// A list of the front and its figures.
struct FrontEntry {
  RuleList list;
  SampledReturn figures;        ///< From episodes that no decision used.
  double selection_return = 0;  ///< The mean that it was chosen by.
  bool picked = false;
  std::optional<double> exact_return{};  ///< Of a finite task, once the search has ended.
};

/// The result of a search.
struct RuleFront {
  std::vector<FrontEntry> entries;  ///< By size.
  bool final = false;               ///< Otherwise the best so far, with the figures of its search.
  SampledReturn teacher;
  std::vector<std::string> warnings;  ///< What may have made it poor, as sentences.

  const FrontEntry& pick() const;
};

/// The lists and figures of a front, for states of searches.
void append(const RuleFront& front, std::vector<std::int64_t>& numbers, std::vector<double>& returns);
/// The front that was appended; advances the two positions. Throws Error if it is damaged.
RuleFront read_front(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                     std::span<const double> returns, std::size_t& returns_at, const Features& features);

}  // namespace ndnf
