#include "ndnf/train/running_scale.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "ndnf/model/build.h"

namespace ndnf {
namespace {

std::shared_ptr<const Vocabulary> two_numbers() {
  return std::make_shared<const Vocabulary>(
      std::vector<AtomGroup>{}, std::vector<std::string>{"a", "b"},
      std::vector<Quantity>{quantity("x", "", -100, 100, 1), quantity("y", "", 0, 1, 1)});
}

TEST(RunningFigures, MatchHandComputedMeanAndDeviation) {
  RunningFigures figures;
  for (const double x : {1.0, 3.0, 8.0}) figures.add(x);
  EXPECT_DOUBLE_EQ(figures.mean, 4);
  EXPECT_DOUBLE_EQ(figures.deviation(), std::sqrt((9 + 1 + 16) / 3.0));
  EXPECT_EQ(figures.least, 1);
  EXPECT_EQ(figures.most, 8);
}

TEST(InputScale, AFoldedNetworkReadsRowsAsTheyAre) {
  ObservationTable table(two_numbers(), 2);
  std::vector<ObsId> ids;
  for (int i = 0; i < 20; ++i)
    ids.push_back(table.intern({}, std::vector<float>{static_cast<float>(10 + 3 * i), i == 7 ? 1.0f : 0.0f}));
  RandomSequence random(RandomStream(0, 1));
  ActorOptions actor;
  actor.model = "mlp";
  actor.init = "orthogonal";
  ActorCritic<double> network = build_network(table, actor, {}, {}, random);
  InputScale<double> scale;
  scale.observe(table, ids);
  Batch<double> batch;
  Activations<double> activations;
  gather(table, ids, network, batch);
  scale.apply(batch.numbers);
  for (const double x : batch.numbers.values()) EXPECT_LE(std::abs(x), 10) << "even what is rarely 1";
  const Matrix<double> scaled = forward_actor(network, batch, activations);
  scale.fold_into(network);
  gather(table, ids, network, batch);
  const Matrix<double>& folded = forward_actor(network, batch, activations);
  for (std::size_t i = 0; i < folded.size(); ++i) EXPECT_NEAR(folded.values()[i], scaled.values()[i], 1e-9);
}

TEST(InputScale, IsRestoredExactly) {
  ObservationTable table(two_numbers(), 2);
  const std::vector<ObsId> ids{table.intern({}, std::vector<float>{1, 0}),
                               table.intern({}, std::vector<float>{4, 1})};
  InputScale<float> scale;
  scale.observe(table, ids);
  TensorFile file;
  scale.save(file);
  InputScale<float> restored;
  restored.restore("state", file);
  TensorFile again;
  restored.save(again);
  EXPECT_EQ(file, again);
}

TEST(RewardScale, DividesByTheDeviationOfDiscountedReturns) {
  RewardScale scale(0.5);
  std::vector<double> rewards{2, 2, 2, 2};  // one walker: returns 2, 3, then after the end 2, 3
  scale.apply(1, std::vector<std::uint8_t>{0, 1, 0, 1}, rewards);
  EXPECT_DOUBLE_EQ(rewards[0], 2 / 0.5);
}

TEST(RewardScale, LeavesRewardsThatAreNeverSeenAlone) {
  RewardScale scale(0.9);
  std::vector<double> rewards(8, 0.0);
  scale.apply(2, std::vector<std::uint8_t>(8, 0), rewards);
  EXPECT_EQ(rewards, std::vector<double>(8, 0.0));
}

}  // namespace
}  // namespace ndnf
