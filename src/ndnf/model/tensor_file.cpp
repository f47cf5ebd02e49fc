#include "ndnf/model/tensor_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ndnf/base/error.h"
#include "ndnf/base/sha256.h"

namespace ndnf {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "tensors are copied to and from files byte by byte");

constexpr const char* kMetadata = "__metadata__";
constexpr const char* kChecksum = "sha256";
constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);

struct TypeInfo {
  Tensor::Type type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<TypeInfo, 6> kTypes = {{{Tensor::Type::kU8, "U8", 1},
                                             {Tensor::Type::kU32, "U32", 4},
                                             {Tensor::Type::kU64, "U64", 8},
                                             {Tensor::Type::kI64, "I64", 8},
                                             {Tensor::Type::kF32, "F32", 4},
                                             {Tensor::Type::kF64, "F64", 8}}};

const TypeInfo& info(Tensor::Type type) {
  return *std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeInfo& t) { return t.type == type; });
}

template <class T>
constexpr Tensor::Type type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return Tensor::Type::kU8;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Tensor::Type::kU32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Tensor::Type::kU64;
  if constexpr (std::is_same_v<T, std::int64_t>) return Tensor::Type::kI64;
  if constexpr (std::is_same_v<T, float>) return Tensor::Type::kF32;
  if constexpr (std::is_same_v<T, double>) return Tensor::Type::kF64;
}

/// A checksum of the metadata and the tensors, in the order of their names: independent of the file's layout
/// and writer.
std::string checksum(const TensorFile& file) {
  std::string all;
  const auto add = [&all](std::string_view text) { (all += text) += '\0'; };
  for (const auto& [key, text] : file.metadata) {
    if (key == kChecksum) continue;
    add(key);
    add(text);
  }
  for (const auto& [name, tensor] : file.tensors) {
    add(name);
    add(info(tensor.type).name);
    add(fmt::format("{}", fmt::join(tensor.shape, ",")));
    all.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return sha256(all);
}

/// The text after a round trip through JSON, which must be UTF-8: metadata may mention file names that are
/// not.
std::string as_json_keeps_it(const std::string& text) {
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

template <class T>
bool all_finite(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); });
}

/// Reads one file; every mistake in it becomes an Error that names the file.
class Reader {
 public:
  Reader(std::string_view where, std::string_view bytes) : where_(where), bytes_(bytes) {}

  TensorFile read() {
    const json header = read_header();
    TensorFile file;
    for (const auto& [name, value] : header.items()) {
      if (name == kMetadata) {
        file.metadata = read_metadata(value);
      } else {
        file.tensors.emplace(name, read_tensor(name, value));
      }
    }
    check_coverage();
    check_sum(file);
    return file;
  }

 private:
  using Range = std::pair<std::size_t, std::size_t>;  // begin and end in the data

  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const {
    throw Error(std::string(where_), what, hint);
  }
  [[noreturn]] void fail_tensor(const std::string& name, const std::string& what) const {
    fail(fmt::format("the tensor {} {}", json(name).dump(), what));
  }

  /// Splits the file after the header.
  json read_header() {
    std::uint64_t length = 0;
    if (bytes_.size() < kLengthBytes) fail("is not a safetensors file", "it is shorter than 8 bytes");
    std::memcpy(&length, bytes_.data(), kLengthBytes);
    if (length > bytes_.size() - kLengthBytes) {
      fail("is not a safetensors file or was cut short",
           fmt::format("its header should have {} bytes and the file has {}", length, bytes_.size()));
    }
    const std::string_view text = bytes_.substr(kLengthBytes, length);
    data_ = bytes_.substr(kLengthBytes + length);
    json header = parse(text);
    if (!header.is_object()) fail("its header is not a JSON object");
    return header;
  }

  /// Parses JSON without repeated keys; with them, readers could disagree about the value.
  json parse(std::string_view text) const {
    if (text.find('\0') != text.npos) fail("its header is not JSON");  // which the parser treats as the end
    std::vector<std::set<std::string>> keys;
    const auto watch = [&](int, json::parse_event_t event, json& parsed) {
      if (event == json::parse_event_t::object_start) keys.emplace_back();
      if (event == json::parse_event_t::object_end) keys.pop_back();
      if (event == json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
        fail(fmt::format("its header has the key {} twice", parsed.dump()));
      }
      return true;
    };
    try {
      return json::parse(text, watch);
    } catch (const json::exception&) {
      fail("its header is not JSON");
    }
  }

  std::map<std::string, std::string> read_metadata(const json& value) const {
    if (!value.is_object()) fail("its metadata is not an object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) fail(fmt::format("its metadata {} is not a string", json(key).dump()));
      metadata.emplace(key, text.get<std::string>());
    }
    return metadata;
  }

  Tensor read_tensor(const std::string& name, const json& value) {
    if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") ||
        !value.contains("data_offsets")) {
      fail_tensor(name, "is not described by exactly dtype, shape and data_offsets");
    }
    const TypeInfo& type = read_type(name, value["dtype"]);
    Tensor tensor{type.type, read_sizes(name, "shape", value["shape"]), {}};
    const auto [begin, end] = read_range(name, value["data_offsets"]);
    if (byte_count(tensor.shape, type.size) != end - begin) {
      fail_tensor(name, fmt::format("has {} bytes of data, which does not match its shape", end - begin));
    }
    claimed_ += end - begin;
    if (claimed_ > data_.size()) fail("its tensors overlap");  // checked here, before copies fill the memory
    const auto* data = reinterpret_cast<const std::byte*>(data_.data());
    tensor.bytes.assign(data + begin, data + end);
    ranges_.emplace_back(begin, end);
    return tensor;
  }

  const TypeInfo& read_type(const std::string& name, const json& value) const {
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeInfo& t) { return value == t.name; });
    if (found == kTypes.end()) fail_tensor(name, "has a dtype other than U8, U32, U64, I64, F32 and F64");
    return *found;
  }

  std::vector<std::size_t> read_sizes(const std::string& name, std::string_view key,
                                      const json& value) const {
    const auto is_size = [](const json& element) { return element.is_number_unsigned(); };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_size)) {
      fail_tensor(name, fmt::format("has a {} that is not a list of whole numbers", key));
    }
    return value.get<std::vector<std::size_t>>();
  }

  Range read_range(const std::string& name, const json& value) const {
    const std::vector<std::size_t> offsets = read_sizes(name, "data_offsets", value);
    if (offsets.size() != 2 || offsets[0] > offsets[1]) {
      fail_tensor(name, "has data_offsets that are not a range");
    }
    if (offsets[1] > data_.size()) {
      fail_tensor(name, fmt::format("ends at byte {} of the data, of which the file has {}", offsets[1],
                                    data_.size()));
    }
    return {offsets[0], offsets[1]};
  }

  /// The size of the data, or empty if it overflows.
  static std::optional<std::size_t> byte_count(const std::vector<std::size_t>& shape, std::size_t element) {
    std::size_t count = element;
    for (const std::size_t size : shape) {
      if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
    }
    return count;
  }

  /// Checks that every byte of the data belongs to exactly one tensor.
  void check_coverage() {
    std::sort(ranges_.begin(), ranges_.end());
    std::size_t covered = 0;
    for (const auto& [begin, end] : ranges_) {
      if (begin != covered) {
        const char* mistake = begin < covered ? "overlap" : "leave a gap";
        fail(fmt::format("its tensors {} at byte {} of the data", mistake, covered));
      }
      covered = end;
    }
    if (covered != data_.size()) {
      fail(fmt::format("has {} bytes of data that no tensor uses", data_.size() - covered));
    }
  }

  void check_sum(TensorFile& file) const {
    const auto found = file.metadata.find(kChecksum);
    if (found == file.metadata.end()) return;
    if (found->second != checksum(file))
      fail("is damaged: its checksum does not match", "create it again, or restore it from a copy");
    file.metadata.erase(found);
    file.checked = true;
  }

  std::string_view where_;
  std::string_view bytes_;
  std::string_view data_;
  std::vector<Range> ranges_;
  std::size_t claimed_ = 0;  // the sum of the ranges' lengths
};

}  // namespace

template <class T>
Tensor Tensor::of(std::span<const T> values, std::vector<std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  assert(values.size() == count);
  Tensor tensor{type_of<T>(), std::move(shape), std::vector<std::byte>(count * sizeof(T))};
  if (count > 0) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

template <class T>
std::vector<T> Tensor::as(std::string_view where) const {
  if (type != type_of<T>()) {
    throw Error(std::string(where), fmt::format("holds elements of type {}", info(type).name),
                fmt::format("{} is needed here", info(type_of<T>()).name));
  }
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template Tensor Tensor::of(std::span<const std::uint8_t>, std::vector<std::size_t>);
template Tensor Tensor::of(std::span<const std::uint32_t>, std::vector<std::size_t>);
template Tensor Tensor::of(std::span<const std::uint64_t>, std::vector<std::size_t>);
template Tensor Tensor::of(std::span<const std::int64_t>, std::vector<std::size_t>);
template Tensor Tensor::of(std::span<const float>, std::vector<std::size_t>);
template Tensor Tensor::of(std::span<const double>, std::vector<std::size_t>);
template std::vector<std::uint8_t> Tensor::as(std::string_view) const;
template std::vector<std::uint32_t> Tensor::as(std::string_view) const;
template std::vector<std::uint64_t> Tensor::as(std::string_view) const;
template std::vector<std::int64_t> Tensor::as(std::string_view) const;
template std::vector<float> Tensor::as(std::string_view) const;
template std::vector<double> Tensor::as(std::string_view) const;

const Tensor& TensorFile::at(std::string_view where, const std::string& name) const {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw Error(std::string(where), fmt::format("the tensor {} is missing", name));
  return found->second;
}

void TensorFile::check_finite(std::string_view where) const {
  for (const auto& [name, tensor] : tensors) {
    const bool fine = tensor.type == Tensor::Type::kF32   ? all_finite(tensor.as<float>(where))
                      : tensor.type == Tensor::Type::kF64 ? all_finite(tensor.as<double>(where))
                                                          : true;
    if (!fine) {
      throw Error(std::string(where),
                  fmt::format("the tensor {} holds a number that is not finite", json(name).dump()));
    }
  }
}

std::string to_safetensors(const TensorFile& file) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!file.metadata.empty()) header[kMetadata] = file.metadata;
  std::size_t end = 0;
  for (const auto& [name, tensor] : file.tensors) {
    assert(name != kMetadata);
    const std::size_t begin = end;
    end += tensor.bytes.size();
    header[name] = {
        {"dtype", info(tensor.type).name}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');

  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), kLengthBytes);
  bytes.reserve(kLengthBytes + text.size() + end);
  bytes += text;
  for (const auto& [name, tensor] : file.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return bytes;
}

std::string to_checked_safetensors(TensorFile file) {
  for (auto& [key, text] : file.metadata) text = as_json_keeps_it(text);
  file.metadata[kChecksum] = checksum(file);
  return to_safetensors(file);
}

TensorFile parse_safetensors(std::string_view where, std::string_view bytes) {
  return Reader(where, bytes).read();
}

}  // namespace ndnf
