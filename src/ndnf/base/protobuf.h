#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "ndnf/base/checksum.h"

/// The wire format of protocol buffers, as far as our writers need it: a field is its number and wire type as
/// a varint, then its value. A message is the concatenation of its fields; a field that is itself a message
/// is written as text.
namespace ndnf::protobuf {

inline std::string varint(std::uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7F) | 0x80);
  return bytes + static_cast<char>(number);
}
inline std::string field(std::uint64_t number, std::int64_t value) {
  return varint(number << 3 | 0) + varint(static_cast<std::uint64_t>(value));
}
inline std::string field(std::uint64_t number, double value) {
  return varint(number << 3 | 1) + little_endian(std::bit_cast<std::uint64_t>(value));
}
inline std::string field(std::uint64_t number, std::string_view value) {
  return varint(number << 3 | 2) + varint(value.size()) + std::string(value);
}
inline std::string field(std::uint64_t number, float value) {
  return varint(number << 3 | 5) + little_endian(std::bit_cast<std::uint32_t>(value));
}

}  // namespace ndnf::protobuf
