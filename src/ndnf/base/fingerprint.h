#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ndnf {

/// FNV-1a, 64 bits: published, stable, and sufficient against accidental (not malicious) collisions.
class Fingerprint {
 public:
  /// Adds a text followed by a byte that never occurs in UTF-8, so that "ab","c" and "a","bc" differ.
  void add(std::string_view text) {
    for (const char c : text) mix(static_cast<unsigned char>(c));
    mix(0xFF);
  }
  /// 16 hexadecimal digits.
  std::string hex() const;

 private:
  void mix(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

/// The fingerprint of a single text.
std::string fingerprint(std::string_view text);

}  // namespace ndnf
