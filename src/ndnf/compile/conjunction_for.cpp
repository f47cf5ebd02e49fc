#include "ndnf/compile/conjunction_for.h"

#include "ndnf/boxes/box.h"

namespace ndnf {

std::optional<Conjunction> conjunction_for(const PositionSet& wanted, const Scope& scope) {
  const Box box = hull(scope, wanted);
  if (members(box, scope) != wanted) return std::nullopt;
  return literals(simplified(box, scope), scope);
}

}  // namespace ndnf
