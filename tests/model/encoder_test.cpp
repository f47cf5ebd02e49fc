#include "ndnf/model/encoder.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "model/trained.h"
#include "ndnf/tasks/registry.h"
#include "nn/gradient_check.h"

namespace ndnf {
namespace {

using ::testing::AnyOf;
using testing::close;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::is_gradient;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::random_matrix;
using testing::weighted_sum;

Convolution<double> small_convolution() {  // images of 4 cells with 2 numbers each
  return {random_matrix(1, 2, 3), random_matrix(2, 1, 3), random_matrix(3, 12, 5), random_matrix(4, 1, 5)};
}

std::vector<std::string> parameter_names(const Encoder<double>& encoder) {
  std::vector<std::string> names;
  visit_encoder(encoder, [&](const std::string& name, const Matrix<double>&) { names.push_back(name); });
  return names;
}

/// One observation per row, over these groups.
ObservationTable table_of(std::vector<AtomGroup> groups, const std::vector<std::vector<float>>& rows) {
  const std::size_t group_count = groups.size();
  ObservationTable table(
      std::make_shared<Vocabulary>(std::move(groups), std::vector<std::string>{"left", "right"}),
      rows[0].size());
  for (const auto& row : rows) table.intern(std::vector<std::uint32_t>(group_count, 0), row);
  return table;
}

TEST(EncoderBackward, MatchesFiniteDifferences) {
  Encoder<double> encoder = small_convolution();
  const Matrix<double> images = random_matrix(5, 3, 8);
  const Matrix<double> R = random_matrix(6, 3, 5);
  EncoderActivations<double> a;
  const auto loss = [&] { return weighted_sum(forward(encoder, images, a), R); };
  loss();
  Encoder<double> gradient = Convolution<double>{Matrix<double>(2, 3), Matrix<double>(1, 3),
                                                 Matrix<double>(12, 5), Matrix<double>(1, 5)};
  backward(encoder, images, a, R, gradient);
  auto& convolution = std::get<Convolution<double>>(encoder);
  const auto& gradients = std::get<Convolution<double>>(gradient);
  EXPECT_TRUE(is_gradient(gradients.kernel, convolution.kernel, loss));
  EXPECT_TRUE(is_gradient(gradients.kernel_bias, convolution.kernel_bias, loss));
  EXPECT_TRUE(is_gradient(gradients.W, convolution.W, loss));
  EXPECT_TRUE(is_gradient(gradients.bias, convolution.bias, loss));
}

TEST(Encoder, FlattensChannelByChannel) {
  const Convolution<double> convolution = small_convolution();
  const Encoder<double> encoder = convolution;
  const Matrix<double> image = random_matrix(5, 1, 8);
  EncoderActivations<double> a;
  forward(encoder, image, a);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (std::size_t cell = 0; cell < 4; ++cell) {
      const double z = image(0, 2 * cell) * convolution.kernel(0, channel) +
                       image(0, 2 * cell + 1) * convolution.kernel(1, channel) +
                       convolution.kernel_bias(0, channel);
      EXPECT_NEAR(a.convolution.flat(0, 4 * channel + cell), std::tanh(z), 1e-12);
    }
  }
}

TEST(Encoder, ThatIsAbsentPassesNumbersOnWithoutACopy) {
  const Encoder<double> none = NoEncoder{3};
  const Matrix<double> x = random_matrix(1, 2, 3);
  EncoderActivations<double> a;
  EXPECT_EQ(&forward(none, x, a), &x);
  EXPECT_FALSE(has_encoder(none));
  EXPECT_THAT(parameter_names(none), IsEmpty());
}

TEST(Encoder, KnowsItsInputsAndOutputs) {
  const Vocabulary vocabulary({AtomGroup::numbered("x", "x_", 7)}, {"go"});
  const Encoder<double> convolution = small_convolution();
  EXPECT_EQ(numbers_read(convolution), 8u);
  EXPECT_EQ(input_size(convolution, vocabulary), 5u);
  EXPECT_EQ(numbers_read(Encoder<double>(NoEncoder{})), 0u);
  EXPECT_EQ(input_size(Encoder<double>(NoEncoder{}), vocabulary), 7u);
  EXPECT_EQ(input_size(Encoder<double>(NoEncoder{3}), vocabulary), 3u);
}

TEST(Encoder, WithoutOneAtomsAreReadWhereThereAreAny) {
  const ObservationTable both = table_of({AtomGroup::single("door")}, {{1, 2, 3, 4}});
  const ObservationTable numbers = table_of({}, {{1, 2, 3, 4}});
  const ObservationTable nothing = table_of({}, {{}});
  EXPECT_EQ(plain_input(both).numbers, 0u);
  EXPECT_EQ(plain_input(numbers).numbers, 4u);
  EXPECT_EQ(plain_input(nothing).numbers, 0u);
  EXPECT_EQ(misfit(NoEncoder{}, both), "");
  EXPECT_EQ(misfit(NoEncoder{4}, numbers), "");
  EXPECT_EQ(misfit(NoEncoder{3}, numbers), "its observations have 3 numbers, the environment's 4");
  EXPECT_EQ(misfit(NoEncoder{}, numbers), "its observations have 0 numbers, the environment's 4");
  EXPECT_EQ(misfit(converted<float>(Encoder<double>(small_convolution())), numbers),
            "its images have 8 numbers, the environment's 4");
}

TEST(Encoder, OfAnotherShapeIsNotedByAnyParameter) {
  const Encoder<double> encoder = small_convolution();
  EXPECT_TRUE(same_shape(encoder, encoder));
  EXPECT_FALSE(same_shape(encoder, Encoder<double>(NoEncoder{})));
  EXPECT_FALSE(same_shape(Encoder<double>(NoEncoder{4}), Encoder<double>(NoEncoder{3})));
  Convolution<double> other = small_convolution();
  other.kernel = Matrix<double>(1, 3);
  EXPECT_FALSE(same_shape(encoder, Encoder<double>(other)));
}

TEST(Encoder, ConvertedKeepsItsKindAndItsParameters) {
  const Encoder<double> back = converted<double>(converted<float>(Encoder<double>(small_convolution())));
  EXPECT_THAT(parameter_names(back), ElementsAre("image_encoder.0.weight", "image_encoder.0.bias",
                                                 "extra_layer.0.weight", "extra_layer.0.bias"));
  EXPECT_TRUE(close(std::get<Convolution<double>>(back).W, small_convolution().W, 1e-7));
  EXPECT_EQ(numbers_read(converted<float>(Encoder<double>(NoEncoder{4}))), 4u);
}

TEST(Discretised, EncodersGiveTruthValuesOfTheSameSign) {
  const Task environment = make_task("door-corridor");
  const ObservationTable& table = environment.model().observations();
  const Encoder<float> encoder = converted<float>(testing::read_trained("dc_ndnf_1.json").encoder);
  const Matrix<double> before = outputs_on(converted<double>(encoder), table);
  const Matrix<double> after = outputs_on(converted<double>(discretised(encoder, table)), table);
  EXPECT_THAT(before.values(), Not(Each(AnyOf(-1, 1))));
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(after.values()[i], before.values()[i] > 0 ? 1 : -1);
  }
}

}  // namespace
}  // namespace ndnf
