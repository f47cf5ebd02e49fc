#include "ndnf/base/identifier.h"

#include <cctype>

#include <fmt/format.h>

namespace ndnf {

std::string identifier(std::string_view name, std::string_view prefix) {
  std::string plain;
  for (const char c : name) {
    const bool allowed = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (allowed || (!plain.empty() && plain.back() != '_')) plain += allowed ? c : '_';
  }
  while (plain.ends_with('_')) plain.pop_back();
  const bool usable = !plain.empty() && std::isdigit(static_cast<unsigned char>(plain[0])) == 0;
  return usable ? plain : std::string(prefix) + plain;
}

std::string Identifiers::add(std::string_view name) {
  const std::string plain = identifier(name, prefix_);
  std::string unique = plain;
  for (int n = 2; !taken_.insert(unique).second; ++n) unique = fmt::format("{}_{}", plain, n);
  return unique;
}

}  // namespace ndnf
