#include "ndnf/model/q_table.h"

#include <memory>

#include <gtest/gtest.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

std::shared_ptr<const Vocabulary> vocabulary() {
  return std::make_shared<Vocabulary>(
      std::vector<AtomGroup>{AtomGroup::numbered("place", "in_", 3), AtomGroup::single("key")},
      std::vector<std::string>{"walk", "grab", "wait"});
}

/// The observations of `rows`, in this order.
ObservationTable table_of(const std::vector<std::vector<std::uint32_t>>& rows) {
  ObservationTable table(vocabulary());
  for (const auto& row : rows) table.intern(row);
  return table;
}

Matrix<double> matrix(const std::vector<std::vector<double>>& rows) {
  Matrix<double> m(rows.size(), rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) std::copy(rows[r].begin(), rows[r].end(), m.row(r));
  return m;
}

std::vector<double> row_of(const PolicyTable& policy, ObsId obs) {
  return {policy.row(obs).begin(), policy.row(obs).end()};
}

TEST(QTable, TakesTheFirstOfTheLargestValues) {
  const ObservationTable table = table_of({{0, 0}, {0, 1}, {2, 0}});
  const QTable q = make_q_table(table, matrix({{1, 3, 2}, {-1, -2, -1}, {0, 0, 0}}));
  const PolicyTable policy = tabulate(QTablePolicy(q), table);
  EXPECT_EQ(row_of(policy, 0), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(row_of(policy, 1), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(row_of(policy, 2), (std::vector<double>{1, 0, 0}));
}

TEST(QTable, KnowsAnObservationByItsAtomsWhateverItsNumber) {
  const QTable q = make_q_table(table_of({{0, 0}, {0, 1}}), matrix({{0, 1, 0}, {0, 0, 1}}));
  const PolicyTable policy = tabulate(QTablePolicy(q), table_of({{0, 1}, {0, 0}}));
  EXPECT_EQ(policy.argmax(0), 2u);
  EXPECT_EQ(policy.argmax(1), 1u);
}

TEST(QTable, IsUndefinedWhereItHasNoRow) {
  const QTable q = make_q_table(table_of({{0, 0}}), matrix({{0, 1, 0}}));
  const PolicyTable policy = tabulate(QTablePolicy(q), table_of({{1, 0}, {0, 0}}));
  EXPECT_EQ(policy.defect(0), "names no action");
  EXPECT_TRUE(policy.defined(1));
}

TEST(QTable, RefusesImagesThatNoAtomTellsApart) {
  ObservationTable table(vocabulary(), 1);
  const std::vector<std::uint32_t> values = {1, 1};
  table.intern(values, std::vector<float>{0});
  table.intern(values, std::vector<float>{1});
  try {
    make_q_table(table, Matrix<double>(2, 3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "two observations show in_1, key; a Q-table tells observations apart by their atoms");
  }
}

}  // namespace
}  // namespace ndnf
