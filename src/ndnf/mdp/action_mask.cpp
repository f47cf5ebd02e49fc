#include "ndnf/mdp/action_mask.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/mdp/policy.h"

namespace ndnf {

ActionMask::ActionMask(std::size_t action_count, std::vector<std::uint64_t> allowed)
    : action_count_(action_count), allowed_(std::move(allowed)) {
  for (std::size_t obs = 0; obs < allowed_.size(); ++obs) check(static_cast<ObsId>(obs));
}

ActionMask ActionMask::all(std::size_t action_count, std::size_t size) {
  return {action_count, std::vector<std::uint64_t>(size, ~std::uint64_t{0} >> (kMaxActions - action_count))};
}

void ActionMask::set(ObsId obs, std::uint64_t allowed) {
  if (obs >= allowed_.size()) fail_unknown(obs);
  allowed_[obs] = allowed;
  check(obs);
}

void ActionMask::check(ObsId obs) const {
  if (allowed_[obs] == 0) throw Error("", fmt::format("no action is allowed in observation {}", obs));
  if (static_cast<std::size_t>(std::bit_width(allowed_[obs])) > action_count_)
    throw Error("", fmt::format("observation {} allows an action that does not exist", obs));
}

ActionMask ActionMask::of(std::span<const ObsId> observations) const {
  std::vector<std::uint64_t> allowed;
  for (const ObsId obs : observations) allowed.push_back(bits(obs));
  return {action_count_, std::move(allowed)};
}

void ActionMask::fail_unknown(ObsId obs) const {
  throw Error("shield", fmt::format("covers {} observations, not number {}", size(), obs));
}

ActionId ActionMask::nth_allowed(ObsId obs, std::size_t rank) const {
  std::uint64_t left = bits(obs);
  for (; rank > 0; --rank) left &= left - 1;
  return static_cast<ActionId>(std::countr_zero(left));
}

PolicyTable ActionMask::apply(const PolicyTable& policy) const {
  std::vector<double> rows;
  std::vector<double> exactly_one;
  rows.reserve(policy.size() * action_count_);
  for (ObsId obs = 0; obs < policy.size(); ++obs) {
    double kept = 0;
    for (ActionId a = 0; a < action_count_; ++a) kept += allows(obs, a) ? policy.row(obs)[a] : 0;
    const double scale = policy.defined(obs) && kept > 0 ? 1 / kept : 1;
    for (ActionId a = 0; a < action_count_; ++a)
      rows.push_back(allows(obs, a) ? std::min(1.0, policy.row(obs)[a] * scale) : 0);
    // If one action has probability 1 and the other allowed ones 0, it is the only action in every possible
    // world.
    const auto row = std::span(rows).last(action_count_);
    const bool certain = std::find(row.begin(), row.end(), 1.0) != row.end();
    exactly_one.push_back(certain ? 1 : policy.exactly_one(obs));
  }
  return {action_count_, std::move(rows), std::move(exactly_one)};
}

}  // namespace ndnf
