#include "ndnf/report/event_file.h"

#include <bit>
#include <cstddef>

#include "ndnf/base/checksum.h"
#include "ndnf/base/protobuf.h"

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

using protobuf::field;

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
