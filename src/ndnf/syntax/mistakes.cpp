#include "ndnf/syntax/mistakes.h"

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {

void Mistakes::add(Place place, const std::string& what) {
  if (++count_ > kShown) return;
  if (!lines_.empty()) lines_ += '\n';
  std::string where = where_;
  if (place.line > 0) where += fmt::format("{}{}:{}", where.empty() ? "" : ":", place.line, place.column);
  lines_ += where.empty() ? what : fmt::format("{}: {}", where, what);
}

void Mistakes::throw_if_any() const {
  if (count_ == 0) return;
  throw Error("", enough() ? lines_ + "\nThere are more mistakes; these are the first." : lines_);
}

}  // namespace ndnf
