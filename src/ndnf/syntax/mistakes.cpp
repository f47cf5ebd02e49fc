#include "ndnf/syntax/mistakes.h"

namespace ndnf {

void Mistakes::add(Place place, const std::string& what) {
  if (!enough()) complaints_.push_back({{where_, place}, what});
}

void Mistakes::throw_if_any() const {
  if (!any()) return;
  std::vector<Complaint> all = complaints_;
  if (enough()) all.push_back({"", "There are more mistakes; only the first are shown."});
  throw Error(std::move(all));
}

}  // namespace ndnf
