#include "ndnf/model/tensor_file.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error_of.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TensorFile all_types() {
  const float inf = std::numeric_limits<float>::infinity();
  TensorFile file;
  file.metadata = {{"name", "größer \"than\" \n one line"}, {"", "no key"}};
  file.tensors["bytes"] = Tensor::of(std::vector<std::uint8_t>{0, 1, 255});
  file.tensors["double"] = Tensor::of(std::vector<double>{1e-300, -0.0});
  file.tensors["float"] = Tensor::of(std::span<const float>({0.1f, NAN, -inf, 4, 5, 6}), {2, 3, 1});
  file.tensors["int"] = Tensor::of(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
  file.tensors["long"] = Tensor::of(std::vector<std::uint64_t>{~std::uint64_t{0}, 1});
  file.tensors["nothing"] = Tensor::of(std::span<const float>(), {3, 0});
  file.tensors["one number"] = Tensor::of(std::span<const std::uint32_t>({7}), {});
  return file;
}

/// A file with this header, valid or not.
std::string with_header(const std::string& header, const std::string& data = "") {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> 8 * i & 0xFF);
  return bytes + header + data;
}

std::string error_of(const std::string& bytes) {
  return testing::error_of([&] { parse_safetensors("some.file", bytes); });
}

TEST(TensorFile, HasTheBytesOfTheFormat) {
  TensorFile file;
  file.metadata["key"] = "value";
  file.tensors["b"] = Tensor::of(std::span<const float>({1, -2}), {1, 2});
  file.tensors["a"] = Tensor::of(std::vector<std::uint8_t>{65});
  const std::string header =
      R"({"__metadata__":{"key":"value"},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
      R"("b":{"dtype":"F32","shape":[1,2],"data_offsets":[1,9]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  const std::string data("A\x00\x00\x80\x3F\x00\x00\x00\xC0", 9);
  EXPECT_EQ(to_safetensors(file), with_header(header + padding, data));
}

TEST(TensorFile, IsReadBackBitForBit) {
  const TensorFile file = all_types();
  const TensorFile read = parse_safetensors("some.file", to_safetensors(file));
  EXPECT_EQ(read.metadata, file.metadata);
  EXPECT_TRUE(read.tensors == file.tensors);
  EXPECT_EQ(to_safetensors(read), to_safetensors(file));
}

TEST(TensorFile, GivesItsNumbersBack) {
  const TensorFile read = parse_safetensors("some.file", to_safetensors(all_types()));
  EXPECT_EQ(read.at("some.file", "long").as<std::uint64_t>("long"),
            (std::vector<std::uint64_t>{~std::uint64_t{0}, 1}));
  EXPECT_EQ(read.at("some.file", "bytes").as<std::uint8_t>("bytes"), (std::vector<std::uint8_t>{0, 1, 255}));
  EXPECT_TRUE(std::signbit(read.at("some.file", "double").as<double>("double")[1]));
  EXPECT_EQ(read.at("some.file", "float").shape, (std::vector<std::size_t>{2, 3, 1}));
}

RC_GTEST_PROP(TensorFile, OfAnyNumbersIsReadBackBitForBit,
              (const std::map<std::string, std::vector<double>>& doubles,
               const std::vector<std::int64_t>& integers)) {
  TensorFile file;
  for (const auto& [name, values] : doubles)
    file.tensors["t" + std::to_string(name.size())] = Tensor::of(values);
  file.tensors["integers"] = Tensor::of(integers);
  RC_ASSERT(parse_safetensors("some.file", to_safetensors(file)).tensors == file.tensors);
}

TEST(TensorFile, SaysWhichTensorIsMissing) {
  try {
    all_types().at("some.file", "weights");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "some.file: the tensor weights is missing");
  }
}

TEST(TensorFile, RefusesToReadNumbersAsAnotherType) {
  const Tensor tensor = Tensor::of(std::vector<double>{1});
  try {
    tensor.as<float>("some.file: weights");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "some.file: weights: holds elements of type F64; F32 is needed here");
  }
}

TEST(TensorFile, KeepsTextThatIsNotUtf8Readable) {
  TensorFile file;
  file.metadata["env"] = "caf\xE9.json";
  EXPECT_EQ(parse_safetensors("some.file", to_safetensors(file)).metadata.at("env"), "caf\xEF\xBF\xBD.json");
}

TEST(TensorFile, ThatIsMalformedIsRefusedWithASentence) {
  const auto tensor = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return R"({"t":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  const auto two_tensors = [](const std::string& first, const std::string& second) {
    return R"({"s":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
           R"(},"t":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}";
  };
  struct Case {
    std::string bytes;
    std::string sentence;
  };
  const std::vector<Case> cases = {
      {"", "is not a safetensors file"},
      {std::string(8, '\xFF') + "{}", "should have 18446744073709551615 bytes"},
      {std::string("\x03\0\0\0\0\0\0\0{}", 10), "should have 3 bytes and the file has 10"},
      {with_header(""), "its header is not JSON"},
      {with_header("{"), "its header is not JSON"},
      {with_header("{\"a\":1e999}"), "its header is not JSON"},
      {with_header("{\"\xFF\":1}"), "its header is not JSON"},
      {with_header("[]"), "its header is not a JSON object"},
      {with_header("{}", "x"), "has 1 bytes of data that no tensor uses"},
      {with_header(R"({"__metadata__":3})"), "its metadata is not an object"},
      {with_header(R"({"__metadata__":{"a":3}})"), "its metadata \"a\" is not a string"},
      {with_header(R"({"__metadata__":{"a":"","a":""}})"), "has the key \"a\" twice"},
      {with_header(R"({"t":{},"t":{}})"), "has the key \"t\" twice"},
      {with_header(R"({"t":[]})"),
       "the tensor \"t\" is not described by exactly dtype, shape and data_offsets"},
      {with_header(R"({"t":{"dtype":"F32","shape":[1]}})"), "is not described by exactly"},
      {with_header(tensor("\"BF16\"", "[2]", "[0,4]"), "1234"),
       "the tensor \"t\" has a dtype other than U8, U32, U64, I64, F32 and F64"},
      {with_header(tensor("7", "[2]", "[0,4]"), "1234"), "has a dtype other than"},
      {with_header(tensor("\"F32\"", "1", "[0,4]"), "1234"),
       "has a shape that is not a list of whole numbers"},
      {with_header(tensor("\"F32\"", "[-1]", "[0,4]"), "1234"), "has a shape that is not"},
      {with_header(tensor("\"F32\"", "[1.0]", "[0,4]"), "1234"), "has a shape that is not"},
      {with_header(tensor("\"F32\"", "[2]", "[0,4]"), "1234"),
       "has 4 bytes of data, which does not match its shape"},
      {with_header(tensor("\"F32\"", "[4611686018427387905]", "[0,4]"), "1234"),
       "which does not match its shape"},
      {with_header(tensor("\"F32\"", "[1]", "[4,0]"), "1234"), "has data_offsets that are not a range"},
      {with_header(tensor("\"F32\"", "[1]", "[0,4,8]"), "1234"), "has data_offsets that are not a range"},
      {with_header(tensor("\"F32\"", "[2]", "[0,8]"), "1234"),
       "ends at byte 8 of the data, of which the file has 4"},
      {with_header(tensor("\"U8\"", "[2]", "[2,4]"), "1234"),
       "its tensors leave a gap at byte 0 of the data"},
      {with_header(tensor("\"U8\"", "[2]", "[0,2]"), "1234"), "has 2 bytes of data that no tensor uses"},
      {with_header(two_tensors("[0,2]", "[1,3]"), "1234"), "its tensors overlap at byte 2 of the data"},
      {with_header(two_tensors("[0,2]", "[1,3]"), "123"), "its tensors overlap"},
      {with_header(two_tensors("[0,2]", "[3,5]"), "12345"), "its tensors leave a gap at byte 2 of the data"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(error_of(c.bytes), StartsWith("some.file: ")) << c.bytes;
    EXPECT_THAT(error_of(c.bytes), HasSubstr(c.sentence)) << c.bytes;
    EXPECT_THAT(error_of(c.bytes), ::testing::Not(HasSubstr("\n"))) << c.bytes;
  }
}

TEST(TensorFile, IsRefusedWhereverItWasCutShort) {
  const std::string bytes = to_safetensors(all_types());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_safetensors("some.file", bytes.substr(0, length)), Error) << length;
  }
  EXPECT_THROW(parse_safetensors("some.file", bytes + '\0'), Error);
}

TEST(TensorFile, WithAChecksumReadsBackAsItWas) {
  TensorFile file = all_types();
  file.metadata["env"] = "caf\xE9.json";
  const TensorFile read = parse_safetensors("some.file", to_checked_safetensors(file));
  EXPECT_TRUE(read.checked);
  EXPECT_EQ(read.tensors, file.tensors);
  EXPECT_EQ(read.metadata.size(), file.metadata.size());
  EXPECT_FALSE(parse_safetensors("some.file", to_safetensors(file)).checked);
}

TEST(TensorFile, WithAChecksumAndAnyBitFlippedIsRefused) {
  const std::string bytes = to_checked_safetensors(all_types());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    try {
      EXPECT_FALSE(parse_safetensors("some.file", damaged).checked) << bit;
    } catch (const Error&) {
    }
  }
}

TEST(TensorFile, NamesTheTensorWithANumberThatIsNotFinite) {
  TensorFile file;
  for (const double number :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    file.tensors["w"] = Tensor::of(std::vector<double>{1, 2});
    EXPECT_NO_THROW(file.check_finite("some.file"));
    file.tensors["w"] = Tensor::of(std::vector<double>{1, number});
    EXPECT_EQ(testing::error_of([&] { file.check_finite("some.file"); }),
              "some.file: the tensor \"w\" holds a number that is not finite");
    file.tensors["w"] = Tensor::of(std::vector<float>{1, static_cast<float>(-number)});
    EXPECT_THROW(file.check_finite("some.file"), Error);
  }
}

TEST(TensorFile, WithAnyBitFlippedIsReadOrRefused) {
  std::string bytes = to_safetensors(all_types());
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    try {
      parse_safetensors("some.file", bytes);
    } catch (const Error&) {
      ++refused;
    }
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
  EXPECT_GT(refused, bytes.size());
}

}  // namespace
}  // namespace ndnf
