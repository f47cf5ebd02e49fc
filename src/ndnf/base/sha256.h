#pragma once

#include <string>
#include <string_view>

namespace ndnf {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits: for certificates, whose fingerprints must not be
/// forgeable. Where only accidental changes matter, use fingerprint.h, which is shorter and faster.
std::string sha256(std::string_view bytes);

}  // namespace ndnf
