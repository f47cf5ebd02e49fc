#include "ndnf/properties/property.h"

#include <algorithm>

namespace ndnf {

bool holds(const StateFormula& formula, const ObservationTable& table, ObsId obs) {
  const auto part = [&](std::size_t i) { return holds(formula.parts[i], table, obs); };
  switch (formula.kind) {
    case StateFormula::Kind::kAtom:
      return table.holds(obs, formula.index);
    case StateFormula::Kind::kNumbers:
      return formula.numbers.comparison.holds(places_of(table.dense(obs), table.vocabulary())) ==
             formula.numbers.positive;
    case StateFormula::Kind::kNot:
      return !part(0);
    case StateFormula::Kind::kAnd:
      return part(0) && part(1);
    case StateFormula::Kind::kOr:
      return part(0) || part(1);
    case StateFormula::Kind::kImplies:
      return !part(0) || part(1);
    default:
      return formula.kind == StateFormula::Kind::kTrue;
  }
}

std::vector<std::string> property_labels(const FiniteModel& model) {
  std::vector<std::string> names = model.tags();
  for (const auto& [name, members] : model.labels()) names.push_back(name);
  names.emplace_back("end");
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace ndnf
