#pragma once

#include <string>
#include <string_view>

namespace ndnf {

/// Bytes as text of RFC 4648's alphabet: for files in JSON.
inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8u | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (unsigned k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kLetters[group >> (18u - 6u * k) & 63u] : '=';
  }
  return text;
}

}  // namespace ndnf
