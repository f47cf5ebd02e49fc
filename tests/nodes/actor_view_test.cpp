#include "ndnf/nodes/actor_view.h"

#include <gmock/gmock.h>

#include "model/trained.h"
#include "ndnf/tasks/registry.h"

namespace ndnf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Lt;

/// Images of one cell with one number, under one atom that says nothing.
std::shared_ptr<const ObservationTable> images(const std::vector<float>& numbers) {
  auto table = std::make_shared<ObservationTable>(
      std::make_shared<Vocabulary>(std::vector<AtomGroup>{AtomGroup::single("seen")},
                                   std::vector<std::string>{"stay", "go"}),
      1);
  for (const float x : numbers) table->intern(std::vector<std::uint32_t>{1}, std::vector{x});
  return table;
}

Matrix<double> row(const std::vector<double>& numbers) {
  Matrix<double> m(1, numbers.size());
  std::copy(numbers.begin(), numbers.end(), m.values().begin());
  return m;
}

/// Two predicates: a_0 is the image's sign, a_1 its opposite; an image of 0 gives 0 for both.
Encoder<double> sign_and_opposite() {
  return Convolution<double>{row({1}), row({0}), row({1, -1}), row({0, 0})};
}

TEST(ActorView, NamesInventedPredicatesInTheirOrder) {
  const ActorView view = view_of(sign_and_opposite(), images({0.5f}));
  EXPECT_THAT(view.table->vocabulary().atom_names(), ElementsAre("a_0", "a_1"));
  EXPECT_THAT(view.table->vocabulary().actions(), ElementsAre("stay", "go"));
}

TEST(ActorView, CountsASignOfZeroAsFalse) {
  const auto environment = images({0.5f, 0.0f, -0.5f});
  const ActorView view = view_of(sign_and_opposite(), environment);
  EXPECT_TRUE(view.invented(*environment));
  EXPECT_EQ(view.table->describe(view.seen_as[0]), "a_0");
  EXPECT_EQ(view.table->describe(view.seen_as[1]), "no atom");
  EXPECT_EQ(view.table->describe(view.seen_as[2]), "a_1");
}

TEST(ActorView, ShowsImagesWithTheSameTruthValuesAsOne) {
  const ActorView view = view_of(sign_and_opposite(), images({0.5f, -2.0f, 1.0f, -1.0f}));
  EXPECT_EQ(view.table->size(), 2u);
  EXPECT_THAT(view.seen_as, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(seen(view, std::vector<ObsId>{3, 1, 0}), ElementsAre(0, 1));
  EXPECT_THAT(seen(view, std::vector<ObsId>{1, 3}), ElementsAre(1));
}

TEST(ActorView, WithoutAnEncoderIsTheEnvironmentsOwn) {
  const auto environment = make_task("small-corridor").model().shared_observations();
  const ActorView view = view_of(testing::read_trained("sc_mdp_ndnf_1.json").encoder, environment);
  EXPECT_FALSE(view.invented(*environment));
  EXPECT_THAT(view.seen_as, ElementsAre(0, 1, 2, 3));
}

TEST(ActorView, OfATrainedEncoderHasFewerRowsThanImages) {
  const auto environment = make_task("door-corridor").model().shared_observations();
  const ActorView view = view_of(testing::read_trained("dc_ndnf_1.json").encoder, environment);
  EXPECT_EQ(view.seen_as.size(), environment->size());
  EXPECT_LT(view.table->size(), environment->size());
  EXPECT_THAT(view.seen_as, Each(Lt(view.table->size())));
}

}  // namespace
}  // namespace ndnf
