#include "ndnf/inputs/npz_file.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ndnf/base/checksum.h"
#include "ndnf/base/error.h"

namespace ndnf {
namespace {

struct ElementType {
  std::string_view descr;
  Tensor::Type type;
  std::size_t size;
};
constexpr std::array<ElementType, 6> kElementTypes = {{{"<f4", Tensor::Type::kF32, 4},
                                                       {"<f8", Tensor::Type::kF64, 8},
                                                       {"<i8", Tensor::Type::kI64, 8},
                                                       {"<u8", Tensor::Type::kU64, 8},
                                                       {"<u4", Tensor::Type::kU32, 4},
                                                       {"|u1", Tensor::Type::kU8, 1}}};

/// Reads one archive by the directory at its end; every mistake becomes an Error that names the file.
class NpzReader {
 public:
  NpzReader(std::string_view where, std::string_view bytes) : where_(where), bytes_(bytes) {}

  std::map<std::string, Tensor> read() const {
    const std::size_t end = end_record();
    const std::size_t count = number<std::uint16_t>(end + 10);
    std::size_t at = number<std::uint32_t>(end + 16);
    std::map<std::string, Tensor> arrays;
    for (std::size_t i = 0; i < count; ++i) at = read_entry(at, arrays);
    return arrays;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const {
    throw Error(std::string(where_), what, hint);
  }

  std::string_view part(std::size_t begin, std::size_t size) const {
    if (begin > bytes_.size() || size > bytes_.size() - begin) fail("is cut short, or is not an .npz file");
    return bytes_.substr(begin, size);
  }
  template <class Unsigned>
  std::size_t number(std::size_t at) const {
    Unsigned value = 0;
    std::memcpy(&value, part(at, sizeof value).data(), sizeof value);
    return static_cast<std::size_t>(value);
  }

  std::size_t end_record() const {
    constexpr std::size_t kSize = 22;
    const std::size_t found = bytes_.rfind(std::string_view("PK\x05\x06", 4));
    if (found == bytes_.npos || bytes_.size() - found < kSize) fail("is not an .npz file");
    return found;
  }

  /// Reads the array of a directory entry; returns where the next entry begins.
  std::size_t read_entry(std::size_t at, std::map<std::string, Tensor>& arrays) const {
    constexpr std::size_t kEntry = 46;
    constexpr std::size_t kLocal = 30;
    if (part(at, 4) != std::string_view("PK\x01\x02", 4)) fail("its directory is damaged");
    const std::size_t name_size = number<std::uint16_t>(at + 28);
    const std::string name(part(at + kEntry, name_size));
    if (!name.ends_with(".npy")) fail(fmt::format("contains {}, which is not an array", name));
    const std::string array = name.substr(0, name.size() - 4);
    if (number<std::uint16_t>(at + 10) != 0)
      fail(fmt::format("the array {} is compressed", array), "write the file with np.savez");
    const std::size_t local = number<std::uint32_t>(at + 42);
    const std::size_t data =
        local + kLocal + number<std::uint16_t>(local + 26) + number<std::uint16_t>(local + 28);
    const std::string_view npy = part(data, number<std::uint32_t>(at + 20));
    if (checksum<kCrc32>(npy) != number<std::uint32_t>(at + 16))
      fail(fmt::format("the array {} is damaged: its checksum does not match", array));
    if (!arrays.emplace(array, read_array(array, npy)).second)
      fail(fmt::format("has the array {} twice", array));
    return at + kEntry + name_size + number<std::uint16_t>(at + 30) + number<std::uint16_t>(at + 32);
  }

  Tensor read_array(const std::string& name, std::string_view npy) const {
    constexpr std::string_view kMark("\x93NUMPY\x01\x00", 8);
    constexpr std::size_t kBefore = 10;
    if (!npy.starts_with(kMark) || npy.size() < kBefore)
      fail(fmt::format("the array {} is not in version 1.0 of NumPy's format", name));
    const std::size_t length = static_cast<unsigned char>(npy[8]) + 256 * static_cast<unsigned char>(npy[9]);
    if (length > npy.size() - kBefore) fail(fmt::format("the array {} is cut short", name));
    const std::string_view header = npy.substr(kBefore, length);
    const std::string_view data = npy.substr(kBefore + length);
    const ElementType& element = element_of(name, header);
    Tensor tensor{element.type, shape_of(name, header), {}};
    std::size_t size = element.size;
    for (const std::size_t side : tensor.shape) {
      if (__builtin_mul_overflow(size, side, &size)) size = data.size() + 1;
    }
    if (size != data.size()) fail(fmt::format("the array {} does not fill its shape", name));
    const auto* begin = reinterpret_cast<const std::byte*>(data.data());
    tensor.bytes.assign(begin, begin + data.size());
    if (header.find("'fortran_order': True") != header.npos) from_columns(tensor, element.size);
    return tensor;
  }

  /// The text after `key` in the header, a Python dictionary as NumPy writes it.
  static std::string_view after(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    return at == header.npos ? std::string_view() : header.substr(at + key.size());
  }

  const ElementType& element_of(const std::string& name, std::string_view header) const {
    const std::string_view descr = after(header, "'descr': '");
    for (const ElementType& element : kElementTypes) {
      if (descr.starts_with(element.descr)) return element;
    }
    fail(fmt::format("the array {} holds elements of another type", name), "weights are float32 or float64");
  }

  std::vector<std::size_t> shape_of(const std::string& name, std::string_view header) const {
    std::string_view list = after(header, "'shape': (");
    std::vector<std::size_t> shape;
    const std::size_t close = list.find(')');
    if (close == list.npos) fail(fmt::format("the array {} has no shape", name));
    list = list.substr(0, close);
    while (!list.empty()) {
      std::size_t side = 0;
      const auto [stop, error] = std::from_chars(list.data(), list.data() + list.size(), side);
      if (error != std::errc()) fail(fmt::format("the array {} has a shape that is not a list", name));
      shape.push_back(side);
      list.remove_prefix(static_cast<std::size_t>(stop - list.data()));
      while (list.starts_with(',') || list.starts_with(' ')) list.remove_prefix(1);
    }
    return shape;
  }

  /// From NumPy's Fortran order, in which the first index runs fastest, to ours.
  static void from_columns(Tensor& tensor, std::size_t element) {
    std::vector<std::byte> rows(tensor.bytes.size());
    std::vector<std::size_t> index(tensor.shape.size(), 0);
    for (std::size_t from = 0; from < rows.size(); from += element) {
      std::size_t to = 0;
      for (std::size_t k = 0; k < index.size(); ++k) to = to * tensor.shape[k] + index[k];
      std::memcpy(rows.data() + to * element, tensor.bytes.data() + from, element);
      for (std::size_t k = 0; k < index.size() && ++index[k] == tensor.shape[k]; ++k) index[k] = 0;
    }
    tensor.bytes = std::move(rows);
  }

  std::string_view where_;
  std::string_view bytes_;
};

}  // namespace

std::map<std::string, Tensor> parse_npz(std::string_view where, std::string_view bytes) {
  return NpzReader(where, bytes).read();
}

}  // namespace ndnf
