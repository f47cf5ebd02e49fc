#include "ndnf/report/event_file.h"

#include <bit>
#include <cstddef>

#include "ndnf/base/checksum.h"

namespace ndnf {
namespace {

/// The checksum as TFRecord stores it: masked, because a CRC of data that contains its own CRC is degenerate.
std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(checksum<kCrc32c>(bytes), 15) + 0xA282EAD8;
}

std::string record(std::string_view data) {
  const std::string length = little_endian(std::uint64_t{data.size()});
  std::string bytes = length + little_endian(masked_crc(length));
  bytes += data;
  return bytes + little_endian(masked_crc(data));
}

// Protocol buffers: a field is its number and wire type as a varint, then its value.

std::string varint(std::uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7F) | 0x80);
  return bytes + static_cast<char>(number);
}
std::string field(std::uint64_t number, std::int64_t value) {
  return varint(number << 3 | 0) + varint(static_cast<std::uint64_t>(value));
}
std::string field(std::uint64_t number, double value) {
  return varint(number << 3 | 1) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string field(std::uint64_t number, std::string_view value) {
  return varint(number << 3 | 2) + varint(value.size()) + std::string(value);
}
std::string field(std::uint64_t number, float value) {
  return varint(number << 3 | 5) + little_endian(std::bit_cast<std::uint32_t>(value));
}

// The field numbers of the messages Event, Summary and Summary.Value.
constexpr std::uint64_t kWallTime = 1;
constexpr std::uint64_t kStep = 2;
constexpr std::uint64_t kFileVersion = 3;
constexpr std::uint64_t kSummary = 5;
constexpr std::uint64_t kSummaryValue = 1;
constexpr std::uint64_t kTag = 1;
constexpr std::uint64_t kSimpleValue = 2;

}  // namespace

std::string event_file_header(double wall_time) {
  return record(field(kWallTime, wall_time) + field(kFileVersion, std::string_view("brain.Event:2")));
}

std::string scalar_event(std::string_view tag, std::int64_t step, double wall_time, float value) {
  const std::string scalar = field(kTag, tag) + field(kSimpleValue, value);
  const std::string summary = field(kSummaryValue, std::string_view(scalar));
  return record(field(kWallTime, wall_time) + field(kStep, step) +
                field(kSummary, std::string_view(summary)));
}

}  // namespace ndnf
