#include "ndnf/inputs/weights_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/error_of.h"
#include "ndnf/inputs/npz_file.h"
#include "ndnf/system/file.h"

namespace ndnf {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

const std::string kSeeds = NDNF_SOURCE_DIR "/fuzz/seeds/npz/";

Tensor matrix(std::vector<float> values, std::vector<std::size_t> shape) {
  return Tensor::of(std::span<const float>(values), std::move(shape));
}

Input file_of(std::map<std::string, Tensor> tensors) {
  TensorFile file;
  file.tensors = std::move(tensors);
  return Input("weights.safetensors", to_safetensors(file));
}

TEST(NpzFile, ReadsWhatNumpyWrote) {
  const auto arrays = parse_npz("rows.npz", read_file(kSeeds + "rows.npz"));
  ASSERT_EQ(arrays.size(), 2u);
  const Tensor& weights = arrays.at("actor.conjunctions.weights");
  EXPECT_THAT(weights.shape, ElementsAre(2, 4));
  EXPECT_THAT(weights.as<double>("w"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(arrays.at("actor.disjunctions.weights").type, Tensor::Type::kF32);
}

TEST(NpzFile, ReadsColumnsAsRows) {
  const auto arrays = parse_npz("columns.npz", read_file(kSeeds + "columns.npz"));
  EXPECT_THAT(arrays.at("a").as<double>("a"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(arrays.at("b").shape.empty());
  EXPECT_THAT(arrays.at("c").shape, ElementsAre(0, 2));
}

TEST(NpzFile, RefusesCompressedAndDamagedFiles) {
  EXPECT_EQ(error_of([] { parse_npz("z.npz", read_file(kSeeds + "compressed.npz")); }),
            "z.npz: the array a is compressed; write the file with np.savez");
  std::string bytes = read_file(kSeeds + "rows.npz");
  EXPECT_EQ(error_of([&] { parse_npz("z.npz", std::string_view(bytes).substr(0, bytes.size() / 2)); }),
            "z.npz: is not an .npz file");
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  EXPECT_THAT(error_of([&] { parse_npz("z.npz", bytes); }), HasSubstr("its checksum does not match"));
}

TEST(WeightsFile, IgnoresPrefixesAndLeavesOutTheCritic) {
  const Weights weights = read_weights(file_of({{"model.actor.conjunctions.weights", matrix({1, 2}, {1, 2})},
                                                {"disjunctions.weights", matrix({3}, {1, 1})},
                                                {"critic.0.weight", matrix({4}, {1, 1})},
                                                {"model.critic.0.bias", matrix({4}, {1})}}));
  EXPECT_EQ(weights.tensors.size(), 2u);
  EXPECT_THAT(weights.tensors.at("actor.conjunctions.weights").as<float>(""), ElementsAre(1, 2));
  EXPECT_THAT(weights.left_out, ElementsAre("critic.0.weight", "model.critic.0.bias"));
}

TEST(WeightsFile, RefusesUnknownAmbiguousAndOtherTensors) {
  const Tensor one = matrix({1}, {1, 1});
  EXPECT_THAT(
      error_of([&] {
        read_weights(file_of({{"actor.0.weight", one}}));
      }),
      HasSubstr(
          "the tensor actor.0.weight is not part of a neural DNF; the names end with conjunctions.weights"));
  EXPECT_THAT(error_of([&] {
                read_weights(file_of({{"myconjunctions.weights", one}}));
              }),
              HasSubstr("is not part of"));
  EXPECT_THAT(error_of([&] {
                read_weights(file_of({{"a.conjunctions.weights", one}, {"b.conjunctions.weights", one}}));
              }),
              HasSubstr("has two tensors actor.conjunctions.weights"));
  const Tensor counts = Tensor::of(std::vector<std::int64_t>{1});
  EXPECT_THAT(error_of([&] {
                read_weights(file_of({{"conjunctions.weights", counts}}));
              }),
              HasSubstr("conjunctions.weights: holds elements of type I64; F32 is needed here"));
}

TEST(WeightsFile, RefusesPickles) {
  EXPECT_THAT(error_of([] { read_weights(Input("model.pt", "\x80\x02}q")); }),
              HasSubstr("model.pt: is a pickle of PyTorch, and reading one can run any code; convert it"));
}

}  // namespace
}  // namespace ndnf
