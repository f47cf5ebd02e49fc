#include "ndnf/system/input.h"

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {

std::string Input::read(std::size_t most) const {
  if (!contents) return read_file(name, most);
  if (contents->size() <= most) return *contents;
  throw Error(name, fmt::format("has {} bytes", contents->size()), fmt::format("the limit is {}", most));
}

}  // namespace ndnf
