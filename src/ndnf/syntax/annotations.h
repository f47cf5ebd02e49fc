#pragma once

#include <span>
#include <string>
#include <vector>

#include "ndnf/mdp/vocabulary.h"
#include "ndnf/syntax/program.h"

namespace ndnf {

/// The maximum sum of an annotated disjunction: real ProbLog (2.3.0) accepts an excess of 1e-12 and rejects
/// more.
inline constexpr double kLargestSum = 1 + 1e-12;

/// The maximum number of decimals for which every annotation reads back as exactly the number written.
inline constexpr int kMostDecimals = 15;

/// An action as an alternative of a rule.
struct ActionChoice {
  ActionId action = 0;
  double probability = 0;
};

/// The actions among which a rule chooses. Its heads exclude each other, so probabilities for the same action
/// add up.
/// REQUIRES: all heads are actions of the vocabulary.
std::vector<ActionChoice> choices_of(const Rule& rule, const Vocabulary& vocabulary);

double sum_of_annotations(const Rule& rule);

/// The distribution as annotations with this number of decimals (1 to kMostDecimals) that sum to exactly 1 as
/// decimal texts: each is rounded, then the largest (the first of equals) takes the remainder. REQUIRES: the
/// probabilities are not negative and sum to 1 up to rounding.
std::vector<double> to_annotations(std::span<const double> distribution, int decimals = kMostDecimals);

/// The texts of a rule's annotations: the shortest that read back as the same numbers. If these would sum to
/// more than 1 as exact decimals, the largest is written as the remainder instead. That is another text for
/// the same number, unless the numbers themselves sum to more than 1.
std::vector<std::string> annotation_texts(const Rule& rule);

}  // namespace ndnf
