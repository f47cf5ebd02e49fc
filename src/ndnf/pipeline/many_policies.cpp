#include "ndnf/pipeline/many_policies.h"

#include <set>

namespace ndnf {

Error joined(const std::vector<Error>& errors) {
  std::vector<Complaint> all;
  std::set<std::string> said;
  for (const Error& error : errors) {
    if (!said.insert(error.what()).second) continue;
    all.insert(all.end(), error.complaints().begin(), error.complaints().end());
  }
  return Error(std::move(all));
}

}  // namespace ndnf
