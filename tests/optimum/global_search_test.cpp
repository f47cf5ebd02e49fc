#include "ndnf/optimum/global_search.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/random.h"

namespace ndnf {
namespace {

/// A secret word over the letters 0 and 1, spelt by taking actions; `looks[i]` is the observation before
/// letter i.
struct Word {
  double probability;
  double reward;
  std::vector<ActionId> letters;
  std::vector<ObsId> looks;
};

/// One of the words is drawn, unobserved; its reward is paid if it is spelt without a mistake. The return of
/// a policy is thus a polynomial: the sum of probability · reward · product of the probabilities of its
/// letters.
DecisionProcess spelling(const std::vector<Word>& words, std::size_t looks) {
  FiniteModelData data = testing::numbered_states(looks, {"zero", "one"});
  data.observation.clear();
  for (const Word& word : words) {
    data.starts.push_back({word.probability, static_cast<StateId>(data.observation.size())});
    for (std::size_t i = 0; i < word.letters.size(); ++i) {
      const auto here = static_cast<StateId>(data.observation.size());
      const bool last = i + 1 == word.letters.size();
      data.observation.push_back(word.looks[i]);
      for (ActionId a = 0; a < 2; ++a) {
        const bool right = a == word.letters[i];
        const bool ends = last || !right;
        testing::add_row(data, {{1, right && last ? word.reward : 0.0, ends ? here : here + 1, ends, -1}});
      }
    }
  }
  return DecisionProcess(FiniteModel(std::move(data)));
}

TEST(GlobalSearch, FindsTheTopOfAParabola) {
  const GlobalOptimum found = search_globally(spelling({{1, 1, {0, 1}, {0, 0}}}, 1), 1e-9);
  EXPECT_NEAR(found.best.value, 0.25, 1e-12);
  EXPECT_NEAR(found.best.rows[0], 0.5, 1e-6);
  EXPECT_GE(found.bound, 0.25);
  EXPECT_LE(found.bound, 0.25 + 1e-9);
}

TEST(GlobalSearch, FindsTheTopInThreeDimensions) {
  const Word word{1, 1, {0, 1, 0, 1, 1, 0, 0, 1}, {0, 0, 1, 1, 1, 2, 2, 2}};
  const GlobalOptimum found = search_globally(spelling({word}, 3), 1e-6);
  const double top = 1.0 / 4 * 4 / 27 * 4 / 27;
  EXPECT_NEAR(found.best.value, top, 1e-12);
  EXPECT_NEAR(found.best.rows[2], 1.0 / 3, 1e-5);
  EXPECT_NEAR(found.best.rows[4], 2.0 / 3, 1e-5);
  EXPECT_LE(found.bound, top + 1e-6);
}

// 0.5·p(1 − p) + 0.25·p^8 has a local maximum near p = 0.52, where climbing from the middle ends, and its
// global maximum at 1.
TEST(GlobalSearch, IsNotCaughtByALocalTop) {
  const std::vector<Word> words{{0.5, 1, {0, 1}, {0, 0}},
                                {0.5, 0.5, std::vector<ActionId>(8, 0), std::vector<ObsId>(8, 0)}};
  const DecisionProcess process = spelling(words, 1);
  const RatedPolicy local = climb(process, {0.5, 0.5});
  EXPECT_NEAR(local.rows[0], 0.52, 0.02);
  EXPECT_LT(local.value, 0.15);
  const GlobalOptimum found = search_globally(process, 1e-9);
  EXPECT_NEAR(found.best.value, 0.25, 1e-12);
  EXPECT_EQ(found.best.rows[0], 1);
}

/// Rewards of either sign for spelling words of 2 to 12 letters, with one of two observations each.
std::vector<Word> random_words(RandomSequence& random) {
  std::vector<Word> words(6);
  for (Word& word : words) {
    const std::size_t length = 2 + random.below(11);
    word = {1.0 / 6, std::exp2(static_cast<double>(length)) * random.normal(), {}, {}};
    for (std::size_t i = 0; i < length; ++i) {
      word.letters.push_back(random.below(2));
      word.looks.push_back(random.below(2));
    }
  }
  return words;
}

double polynomial(const std::vector<Word>& words, std::array<double, 2> p) {
  double sum = 0;
  for (const Word& word : words) {
    double product = word.probability * word.reward;
    for (std::size_t i = 0; i < word.letters.size(); ++i) {
      product *= word.letters[i] == 0 ? p[word.looks[i]] : 1 - p[word.looks[i]];
    }
    sum += product;
  }
  return sum;
}

TEST(GlobalSearch, IsNeverBeatenByAGridOnPolynomialsWithManyTops) {
  RandomSequence random(RandomStream(6, 0));
  std::size_t misled = 0;
  for (int round = 0; round < 100; ++round) {
    const std::vector<Word> words = random_words(random);
    const DecisionProcess process = spelling(words, 2);
    if (process.observations().size() < 2) continue;
    const GlobalOptimum found = search_globally(process, 1e-6);
    for (int i = 0; i <= 50; ++i) {
      for (int j = 0; j <= 50; ++j)
        ASSERT_LE(polynomial(words, {i / 50.0, j / 50.0}), found.best.value + 1e-6);
    }
    EXPECT_NEAR(found.best.value, polynomial(words, {found.best.rows[0], found.best.rows[2]}), 1e-9);
    EXPECT_LE(found.bound, found.best.value + 1e-6);
    if (climb(process, {0.5, 0.5, 0.5, 0.5}).value < found.best.value - 1e-3) ++misled;
  }
  EXPECT_GT(misled, 10u);
}

TEST(GlobalSearch, BoundsEveryPolicyOfABox) {
  RandomSequence random(RandomStream(7, 0));
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Word> words = random_words(random);
    const DecisionProcess process = spelling(words, 2);
    if (process.observations().size() < 2) continue;
    const double width = std::exp2(-0.5 * (round % 12));
    const std::array<double, 2> low{(1 - width) * random.uniform(), (1 - width) * random.uniform()};
    const std::array<double, 2> high{low[0] + width, low[1] + width * random.uniform()};
    const double bound = bound_return(process, low, high);
    for (int i = 0; i < 110; ++i) {
      const double x = i % 11 / 10.0;
      const double y = i / 11 / 9.0;
      const std::array<double, 2> p{low[0] + x * (high[0] - low[0]), low[1] + y * (high[1] - low[1])};
      ASSERT_LE(polynomial(words, p), bound + 1e-9);
    }
  }
}

TEST(GlobalSearch, DoesNotApplyToFourFreeProbabilities) {
  EXPECT_TRUE(can_search_globally(spelling({{1, 1, {0, 0, 0}, {0, 1, 2}}}, 3)));
  EXPECT_FALSE(can_search_globally(spelling({{1, 1, {0, 0, 0, 0}, {0, 1, 2, 3}}}, 4)));
}

TEST(LocalSearch, ClimbsToTheTopOfAProduct) {
  const DecisionProcess process = spelling({{1, 1, {0, 1, 1, 0, 0}, {0, 0, 0, 1, 1}}}, 2);
  const RatedPolicy found = climb(process, {0.9, 0.1, 0.1, 0.9});
  EXPECT_NEAR(found.rows[0], 1.0 / 3, 1e-6);
  EXPECT_EQ(found.rows[2], 1);
  EXPECT_NEAR(found.value, 4.0 / 27, 1e-13);
}

TEST(LocalSearch, NeverEndsBelowItsStart) {
  const DecisionProcess process = spelling({{0.5, 1, {0, 0}, {0, 0}}, {0.5, 3, {1, 1}, {0, 0}}}, 1);
  EXPECT_EQ(climb(process, {1, 0}).value, 0.5);
  EXPECT_EQ(search_locally(process, {1, 0}).value, 1.5);
}

}  // namespace
}  // namespace ndnf
