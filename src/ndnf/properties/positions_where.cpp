#include "ndnf/properties/positions_where.h"

#include <algorithm>
#include <set>

namespace ndnf {
namespace {

using Set = std::vector<bool>;
using PositionId = EpisodeChain::PositionId;

Set complement(Set set) {
  set.flip();
  return set;
}

Set label_positions(const std::string& label, const EpisodeChain& chain) {
  const FiniteModel& model = chain.model();
  const auto members = model.labels().find(label);
  const std::set<StateId> states = members == model.labels().end()
                                       ? std::set<StateId>{}
                                       : std::set<StateId>(members->second.begin(), members->second.end());
  const auto tag = std::find(model.tags().begin(), model.tags().end(), label) - model.tags().begin();
  Set set(chain.size());
  for (PositionId p = 0; p < chain.size(); ++p) {
    const bool ends_so = chain[p].is_end() && (label == "end" || chain[p].tag == tag);
    set[p] = ends_so || states.count(chain[p].state) > 0;
  }
  return set;
}

Set join(Set left, const Set& right, bool both) {
  for (std::size_t p = 0; p < left.size(); ++p) left[p] = both ? left[p] && right[p] : left[p] || right[p];
  return left;
}

}  // namespace

std::vector<bool> positions_where(const StateFormula& formula, const EpisodeChain& chain) {
  using enum StateFormula::Kind;
  const auto part = [&](std::size_t i) { return positions_where(formula.parts[i], chain); };
  const auto each = [&](auto test) {
    Set set(chain.size());
    for (PositionId p = 0; p < chain.size(); ++p) set[p] = test(chain[p]);
    return set;
  };
  const FiniteModel& model = chain.model();
  switch (formula.kind) {
    case kLabel:
      return label_positions(formula.label, chain);
    case kAtom:
      return each([&](const auto& at) {
        return model.observations().holds(model.observation(at.state), formula.index);
      });
    case kNumbers:
      return each(
          [&](const auto& at) { return holds(formula, model.observations(), model.observation(at.state)); });
    case kAction:
      return each([&](const auto& at) { return at.action == formula.index; });
    case kNot:
      return complement(part(0));
    case kAnd:
      return join(part(0), part(1), true);
    case kOr:
      return join(part(0), part(1), false);
    case kImplies:
      return join(complement(part(0)), part(1), false);
    default:
      return Set(chain.size(), formula.kind == kTrue);
  }
}

}  // namespace ndnf
