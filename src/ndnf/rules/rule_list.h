#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/rules/features.h"

namespace ndnf {

/// A feature times a whole number.
struct SumTerm {
  std::uint32_t feature = 0;
  std::int32_t factor = 1;
  auto operator<=>(const SumTerm&) const = default;
};

/// A comparison: the sum of its terms is above a bound, or it is not. Of an atom `above` and bound 0 mean
/// that it is true, the negation that it is false.
struct SumLiteral {
  std::vector<SumTerm> terms;
  std::int32_t bound = 0;
  bool above = true;

  /// REQUIRES: fits() the features.
  std::int32_t sum(std::span<const std::int32_t> row) const {
    std::int32_t total = 0;
    for (const SumTerm& term : terms) total += term.factor * row[term.feature];
    return total;
  }
  bool holds(std::span<const std::int32_t> row) const { return (sum(row) > bound) == above; }

  auto operator<=>(const SumLiteral&) const = default;
};

/// Whether no solver that computes in 32 bits overflows: the sum of |factor| · max|value|, plus |bound|,
/// stays below 2^31.
bool fits(const SumLiteral& comparison, const Features& features);

/// An action where all comparisons hold.
struct ListedRule {
  std::vector<SumLiteral> body;
  ActionId action = 0;
  auto operator<=>(const ListedRule&) const = default;
};

/// Ordered rules: the first one that holds decides; if none does, the default.
struct RuleList {
  std::vector<ListedRule> rules;
  ActionId otherwise = 0;

  ActionId decide(std::span<const std::int32_t> row) const;

  std::size_t literal_count() const;
  /// Its size: the terms of its literals.
  std::size_t term_count() const;

  auto operator<=>(const RuleList&) const = default;
};

/// Without literals that follow from others of their rule, rules that can never hold or whose literals all
/// belong to an earlier rule, and last rules with the default's action. It decides as before.
RuleList simplified(RuleList list);

/// The same decisions with the last rule and the default in each other's place, which is possible if the rule
/// has one literal: such lists grow differently.
std::optional<RuleList> with_end_turned(const RuleList& list);

/// The list without one of its rules or literals, for each of them, simplified.
std::vector<RuleList> shortened(const RuleList& list);

/// The features that a list depends on, each once.
std::vector<std::uint32_t> features_of(const RuleList& list);

/// A list as whole numbers, appended to `numbers`, and back. Reading advances `at`; it throws Error naming
/// `where` if the numbers are no list over these features.
void append(const RuleList& list, std::vector<std::int64_t>& numbers);
RuleList read_list(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                   const Features& features);
/// The same for any number of lists.
void append(const std::vector<RuleList>& lists, std::vector<std::int64_t>& numbers);
std::vector<RuleList> read_lists(std::string_view where, std::span<const std::int64_t> numbers,
                                 std::size_t& at, const Features& features);

}  // namespace ndnf
