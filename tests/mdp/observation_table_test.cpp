#include "ndnf/mdp/observation_table.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mdp/small_models.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

std::shared_ptr<const Vocabulary> shared_cards() { return std::make_shared<Vocabulary>(testing::cards()); }

using Values = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

TEST(ObservationTable, KeepsEachDistinctRowOnce) {
  ObservationTable table(shared_cards());
  EXPECT_EQ(table.intern(Values{2, 0}), 0u);
  EXPECT_EQ(table.intern(Values{2, 1}), 1u);
  EXPECT_EQ(table.intern(Values{2, 0}), 0u);
  EXPECT_EQ(table.size(), 2u);
}

TEST(ObservationTable, DenseRowsAreAPartOfIdentity) {
  ObservationTable table(shared_cards(), 2);
  EXPECT_EQ(table.intern(Values{0, 0}, Floats{1, 2}), 0u);
  EXPECT_EQ(table.intern(Values{0, 0}, Floats{1, 3}), 1u);
  EXPECT_EQ(table.intern(Values{0, 0}, Floats{1, 2}), 0u);
  EXPECT_EQ(table.intern(Values{1, 0}, Floats{0.0f, 2}), table.intern(Values{1, 0}, Floats{-0.0f, 2}));
  EXPECT_EQ(table.dense(1)[1], 3.0f);
}

TEST(ObservationTable, DerivesFactsAndVectorsFromValues) {
  ObservationTable table(shared_cards());
  const ObsId soft = table.intern(Values{1, 1});
  const ObsId hard = table.intern(Values{2, 0});
  EXPECT_EQ(table.describe(soft), "hand(1), usable_ace");
  EXPECT_EQ(table.describe(hard), "hand(2)");
  EXPECT_EQ(table.facts(soft), (std::vector<AtomId>{1, 3}));
  EXPECT_TRUE(table.holds(soft, 3));
  EXPECT_FALSE(table.holds(hard, 3));
  EXPECT_FALSE(table.holds(hard, 1));
  std::vector<double> signs(4);
  table.write_atoms(soft, -1.0, std::span(signs));
  EXPECT_EQ(signs, (std::vector<double>{-1, 1, -1, 1}));
  table.write_atoms(hard, 0.0, std::span(signs));
  EXPECT_EQ(signs, (std::vector<double>{0, 0, 1, 0}));
}

TEST(ObservationTable, SaysSoWhenNoAtomIsTrue) {
  ObservationTable table(std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::single("wall")},
                                                      std::vector<std::string>{"go"}));
  EXPECT_EQ(table.describe(table.intern(Values{0})), "no atom");
}

TEST(ObservationTable, RefusesRowsThatDoNotFit) {
  ObservationTable table(shared_cards(), 1);
  EXPECT_THROW(table.intern(Values{3, 0}, Floats{0}), Error);
  EXPECT_THROW(table.intern(Values{0, 2}, Floats{0}), Error);
  EXPECT_THROW(table.intern(Values{0}, Floats{0}), Error);
  EXPECT_THROW(table.intern(Values{0, 0}), Error);
  EXPECT_THROW(table.intern(Values{0, 0}, Floats{std::nanf("")}), Error);
  EXPECT_EQ(table.size(), 0u);
}

TEST(ObservationTable, HoldsManyRows) {
  ObservationTable table(std::make_shared<Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::numbered("r", "r", 300), AtomGroup::numbered("c", "c", 300)},
      std::vector<std::string>{"go"}));
  for (std::uint32_t i = 0; i < 90000; ++i) ASSERT_EQ(table.intern(Values{i / 300, i % 300}), i);
  for (std::uint32_t i = 0; i < 90000; ++i) ASSERT_EQ(table.intern(Values{i / 300, i % 300}), i);
}

}  // namespace
}  // namespace ndnf
