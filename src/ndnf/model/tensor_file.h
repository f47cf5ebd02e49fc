#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ndnf {

/// An array with its shape and element type, as safetensors stores it: row-major, little-endian.
struct Tensor {
  enum class Type : std::uint8_t { kU8, kU32, kU64, kI64, kF32, kF64 };

  Type type = Type::kF32;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;

  /// T is one of uint8_t, uint32_t, uint64_t, int64_t, float, double. REQUIRES: the values fill the shape.
  template <class T>
  static Tensor of(std::span<const T> values, std::vector<std::size_t> shape);
  template <class T>
  static Tensor of(const std::vector<T>& values) {
    return of(std::span<const T>(values), {values.size()});
  }
  /// The values; throws Error naming `where` if the element type differs.
  template <class T>
  std::vector<T> as(std::string_view where) const;

  /// Compares bit for bit.
  bool operator==(const Tensor&) const = default;
};

/// The contents of a .safetensors file, as read and written by Python's `safetensors` package.
struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
  bool checked = false;  ///< Set by parse_safetensors: the file has a checksum, and it matches.

  bool operator==(const TensorFile&) const = default;

  /// Throws Error naming `where` and the tensor if one contains NaN or an infinite number.
  void check_finite(std::string_view where) const;
  /// Throws Error naming `where` and the tensor if it is missing.
  const Tensor& at(std::string_view where, const std::string& name) const;
};

std::string to_safetensors(const TensorFile& file);
/// With a checksum of the whole contents in the metadata (docs/checkpoint.md).
std::string to_checked_safetensors(TensorFile file);
/// Throws Error naming `where` if the bytes are not such a file: truncated, overlapping or missing data, bad
/// JSON; or if they contain a checksum of ours that does not match. Files from other writers have none.
TensorFile parse_safetensors(std::string_view where, std::string_view bytes);

}  // namespace ndnf
