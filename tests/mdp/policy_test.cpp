#include "ndnf/mdp/policy.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

PolicyTable three_rows() { return {2, {0.3, 0.7, /**/ 0, 0, /**/ 1, 1}}; }

TEST(PolicyTable, TellsDefinedRowsFromUndefinedOnes) {
  const PolicyTable policy = three_rows();
  EXPECT_TRUE(policy.defined(0));
  EXPECT_FALSE(policy.defined(1));
  EXPECT_FALSE(policy.defined(2));
  EXPECT_EQ(policy.defect(1), "names no action");
  EXPECT_EQ(policy.defect(2), "names 2 actions");
  EXPECT_EQ(PolicyTable(2, {0.3, 0.3}).defect(0), "gives probabilities that sum to 0.6");
}

TEST(PolicyTable, RefusesNumbersThatAreNoProbabilities) {
  EXPECT_THROW(PolicyTable(2, {std::nan(""), 1}), Error);
  EXPECT_THROW(PolicyTable(2, {-0.1, 1}), Error);
  EXPECT_THROW(PolicyTable(2, {1.1, 0}), Error);
}

TEST(Selection, ReadsTheThreeWaysAndNothingElse) {
  EXPECT_EQ(Selection::parse("--select", "argmax").to_string(), "argmax");
  EXPECT_EQ(Selection::parse("--select", "sample").to_string(), "sample");
  EXPECT_EQ(Selection::parse("--select", "epsilon:0.1").to_string(), "epsilon:0.1");
  for (const char* bad :
       {"", "max", "epsilon", "epsilon:", "epsilon:2", "epsilon:-1", "epsilon:nan", "epsilon:0.1x"}) {
    EXPECT_THROW(Selection::parse("--select", bad), Error) << bad;
  }
}

TEST(Select, ArgmaxTakesTheFirstOfEquals) {
  const PolicyTable best = select(PolicyTable(3, {0.2, 0.4, 0.4}), {Selection::Kind::kArgmax, 0});
  EXPECT_EQ(std::vector<double>(best.row(0).begin(), best.row(0).end()), (std::vector<double>{0, 1, 0}));
}

TEST(Select, EpsilonSharesItsPartAmongAllActions) {
  const PolicyTable mixed = select(PolicyTable(2, {0.3, 0.7}), {Selection::Kind::kEpsilon, 0.1});
  EXPECT_DOUBLE_EQ(mixed.row(0)[0], 0.05);
  EXPECT_DOUBLE_EQ(mixed.row(0)[1], 0.95);
}

TEST(Select, LeavesUndefinedRowsAsTheyAre) {
  for (const auto kind : {Selection::Kind::kArgmax, Selection::Kind::kSample, Selection::Kind::kEpsilon}) {
    const PolicyTable selected = select(three_rows(), {kind, 0.1});
    EXPECT_FALSE(selected.defined(1));
    EXPECT_EQ(selected.defect(2), "names 2 actions");
  }
}

TEST(Tabulate, AsksThePolicyOnceForAllObservations) {
  class FirstAction : public Policy {
   public:
    std::size_t action_count() const override { return 2; }
    void probabilities(const ObservationTable&, std::span<const ObsId> ids,
                       std::span<double> rows) const override {
      ++calls;
      for (std::size_t i = 0; i < ids.size(); ++i) rows[2 * i] = 1;
    }
    mutable int calls = 0;
  };
  const FiniteModelData data = testing::gambler();
  const FirstAction policy;
  const PolicyTable table = tabulate(policy, *data.observations);
  EXPECT_EQ(policy.calls, 1);
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(table.argmax(3), 0u);
}

TEST(ActionMask, RestrictsAndRescalesRows) {
  const ActionMask mask(3, {0b011, 0b100, 0b111});
  EXPECT_TRUE(mask.allows(0, 1));
  EXPECT_FALSE(mask.allows(0, 2));
  const PolicyTable masked = mask.apply(PolicyTable(3, {0.2, 0.2, 0.6, /**/ 1, 0, 0, /**/ 0.1, 0.2, 0.7}));
  EXPECT_DOUBLE_EQ(masked.row(0)[0], 0.5);
  EXPECT_DOUBLE_EQ(masked.row(0)[2], 0);
  EXPECT_EQ(masked.defect(1), "names no action");
  EXPECT_DOUBLE_EQ(masked.row(2)[2], 0.7);
}

TEST(ActionMask, CountsAndNumbersTheAllowedActions) {
  const ActionMask mask(4, {0b1010, 0b0001});
  EXPECT_EQ(mask.allowed_count(0), 2u);
  EXPECT_EQ(mask.nth_allowed(0, 0), 1u);
  EXPECT_EQ(mask.nth_allowed(0, 1), 3u);
  EXPECT_EQ(mask.allowed_count(1), 1u);
  EXPECT_EQ(mask.nth_allowed(1, 0), 0u);
}

TEST(Select, ExploresAmongTheAllowedActionsOnly) {
  const ActionMask mask(3, {0b101, 0b111});
  const PolicyTable policy = mask.apply(PolicyTable(3, {0.2, 0.5, 0.3, /**/ 0.2, 0.5, 0.3}));
  const PolicyTable mixed = select(policy, {Selection::Kind::kEpsilon, 0.1}, &mask);
  EXPECT_DOUBLE_EQ(mixed.row(0)[0], 0.05);
  EXPECT_DOUBLE_EQ(mixed.row(0)[1], 0);
  EXPECT_DOUBLE_EQ(mixed.row(0)[2], 0.95);
  EXPECT_DOUBLE_EQ(mixed.row(1)[0], 0.1 / 3);
}

TEST(ActionMask, RefusesToForbidEverything) {
  EXPECT_THROW(ActionMask(2, {0b00}), Error);
  EXPECT_THROW(ActionMask(2, {0b100}), Error);
  ActionMask mask = ActionMask::all(2, 3);
  EXPECT_THROW(mask.set(1, 0b00), Error);
  EXPECT_THROW(mask.set(1, 0b100), Error);
  EXPECT_THROW(mask.set(3, 0b01), Error);
}

TEST(ActionMask, ChangesRowByRow) {
  ActionMask mask = ActionMask::all(2, 3);
  mask.set(1, 0b10);
  const std::vector<ObsId> some{2, 1};
  EXPECT_EQ(mask.of(some).bits(0), 0b11u);
  EXPECT_EQ(mask.of(some).bits(1), 0b10u);
  mask.allow_all(1);
  EXPECT_EQ(mask.bits(1), 0b11u);
}

}  // namespace
}  // namespace ndnf
