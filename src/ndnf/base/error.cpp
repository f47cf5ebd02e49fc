#include "ndnf/base/error.h"

namespace ndnf {
namespace {

std::string sentence(const std::string& where, const std::string& what, const std::string& hint) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) text += "; " + hint;
  return text;
}

}  // namespace

Error::Error(const std::string& where, const std::string& what, const std::string& hint)
    : std::runtime_error(sentence(where, what, hint)) {}

}  // namespace ndnf
