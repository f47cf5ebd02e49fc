#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndnf {

/// Reversed CRC polynomials used by binary formats: zip's, and TensorBoard's (Castagnoli).
inline constexpr std::uint32_t kCrc32 = 0xEDB88320;
inline constexpr std::uint32_t kCrc32c = 0x82F63B78;

constexpr std::array<std::uint32_t, 256> checksum_table(std::uint32_t polynomial) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1) * polynomial;
    table[byte] = crc;
  }
  return table;
}

template <std::uint32_t kPolynomial>
std::uint32_t checksum(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = checksum_table(kPolynomial);
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~crc;
}

/// The bytes of a number, least significant first.
template <class Unsigned>
std::string little_endian(Unsigned number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(number); ++i) bytes += static_cast<char>(number >> 8 * i & 0xFF);
  return bytes;
}

}  // namespace ndnf
