#include "ndnf/base/fingerprint.h"

#include <fmt/format.h>

namespace ndnf {

std::string Fingerprint::hex() const { return fmt::format("{:016x}", hash_); }

std::string fingerprint(std::string_view text) {
  Fingerprint fingerprint;
  fingerprint.add(text);
  return fingerprint.hex();
}

}  // namespace ndnf
