#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/binary.h"
#include "ndnf/model/tensor_file.h"

namespace ndnf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Import : public Binary {
 protected:
  static void append(const nlohmann::json& rows, std::vector<double>& values) {
    if (rows.is_number()) return values.push_back(rows.get<double>());
    for (const nlohmann::json& row : rows) append(row, values);
  }

  /// A network of golden/trained as a file of weights.
  void write_trained(const std::string& name, const std::string& file) const {
    const auto golden =
        nlohmann::json::parse(read_file(NDNF_SOURCE_DIR "/tests/golden/trained/" + name + ".json"));
    TensorFile weights;
    for (const auto& [tensor, rows] : golden.at("tensors").items()) {
      std::vector<double> values;
      std::vector<std::size_t> shape;
      for (const nlohmann::json* part = &rows; part->is_array(); part = &part->at(0))
        shape.push_back(part->size());
      append(rows, values);
      weights.tensors.emplace(tensor, Tensor::of(std::span<const double>(values), shape));
    }
    write(file, to_safetensors(weights));
  }
};

TEST_F(Import, TurnsTheWeightsOfAnotherImplementationIntoAPolicy) {
  write_trained("sc_mdp_ndnf_1", "weights.safetensors");
  const nlohmann::json result = json({"import", "weights.safetensors", "--env", "small-corridor", "--select",
                                      "argmax", "-o", "net.safetensors"});
  EXPECT_EQ(result.at("conjunctions"), 4);
  EXPECT_EQ(result.at("file"), "net.safetensors");
  EXPECT_EQ(json({"eval", "net.safetensors"}).at("return"), -3);
  EXPECT_EQ(json({"extract", "net.safetensors"}).at("faithful"), true);
}

TEST_F(Import, RefusesWhatDoesNotFitAndWritesNothing) {
  write_trained("sc_mdp_ndnf_1", "weights.safetensors");
  const ProcessResult other =
      ndnf({"import", "weights.safetensors", "--env", "blackjack", "-o", "net.safetensors"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(
      other.errors,
      "ndnf: weights.safetensors: the tensor actor.conjunctions.weights has the shape [4, 4]; [4, 44] is "
      "needed here\n");
  const ProcessResult delta = ndnf(
      {"import", "weights.safetensors", "--env", "small-corridor", "--delta", "0", "-o", "net.safetensors"});
  EXPECT_EQ(delta.errors, "ndnf: --delta: is out of range; it is a number above 0 and at most 1\n");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Import, HelpShowsAnExample) {
  EXPECT_THAT(ndnf({"import", "--help"}).output, AllOf(HasSubstr("--inputs"), HasSubstr("ndnf import ")));
}

}  // namespace
}  // namespace ndnf
