#include "ndnf/system/input.h"

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/plain_text.h"

namespace ndnf {

Input::Input(std::string path) : name(std::move(path)) {
  if (const auto hidden = find_hidden(name)) throw Error(without_hidden(name), hidden->what, "rename it");
  if (name.find_first_of("\n\t\r") != std::string::npos)  // it is written into programs and tables
    throw Error(in_one_line(name), "its name has a line break or a tab", "rename it");
}

std::string Input::read(std::size_t most) const {
  if (!contents) return read_file(name, most);
  if (contents->size() <= most) return *contents;
  throw Error(name, fmt::format("has {} bytes", contents->size()), fmt::format("the limit is {}", most));
}

}  // namespace ndnf
