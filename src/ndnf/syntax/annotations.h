#pragma once

#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// An annotated disjunction may sum to this: real ProbLog (2.3.0) lets 1e-12 pass and rejects more.
inline constexpr double kLargestSum = 1 + 1e-12;

/// The most decimals for which every annotation reads back as the very number that was written.
inline constexpr int kMostDecimals = 15;

/// An action as an alternative of a rule.
struct ActionChoice {
  ActionId action = 0;
  double probability = 0;
};

/// The actions among which a rule chooses. Its heads exclude each other, so those for one action add up.
/// REQUIRES: all heads are actions of the vocabulary.
std::vector<ActionChoice> choices_of(const Rule& rule, const Vocabulary& vocabulary);

double sum_of_annotations(const Rule& rule);

/// The distribution as annotations with so many decimals (1 to kMostDecimals) that sum to 1 exactly when
/// their texts are read as exact numbers: each is rounded, then the largest (the first of equals) takes the
/// remainder. REQUIRES: the probabilities are not negative and sum to 1 but for rounding.
std::vector<double> to_annotations(std::span<const double> distribution, int decimals = kMostDecimals);

/// The texts of a rule's annotations: the shortest that read back as the same numbers. Where these would sum
/// to more than 1 as exact numbers, the largest is written as the remainder instead, which is another text
/// for the same number unless the numbers themselves sum to more than 1.
std::vector<std::string> annotation_texts(const Rule& rule);

}  // namespace ndnf
