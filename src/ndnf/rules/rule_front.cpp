#include "ndnf/rules/rule_front.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ndnf/base/error.h"
#include "ndnf/rules/race.h"

namespace ndnf {
namespace {

constexpr double kNoError = std::numeric_limits<double>::quiet_NaN();

/// Figures are written without the error of a single episode, because tensors must be finite.
void append(const SampledReturn& own, std::vector<std::int64_t>& numbers, std::vector<double>& returns) {
  numbers.push_back(static_cast<std::int64_t>(own.episodes));
  returns.insert(returns.end(), {own.mean, own.episodes > 1 ? own.error : 0, own.worst});
}

}  // namespace

SampledReturn sampled_return(std::span<const double> returns) {
  const std::vector<double> nothing(returns.size(), 0.0);
  const PairedDifference mean = paired_difference(returns, nothing);
  return {mean.mean, returns.size() > 1 ? mean.error : kNoError,
          *std::min_element(returns.begin(), returns.end()), returns.size()};
}

const FrontEntry& RuleFront::pick() const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [](const FrontEntry& entry) { return entry.picked; });
  return found == entries.end() ? entries.back() : *found;
}

void append(const RuleFront& front, std::vector<std::int64_t>& numbers, std::vector<double>& returns) {
  numbers.push_back(static_cast<std::int64_t>(front.entries.size()));
  append(front.teacher, numbers, returns);
  for (const FrontEntry& entry : front.entries) {
    append(entry.list, numbers);
    numbers.push_back(entry.picked ? 1 : 0);
    append(entry.figures, numbers, returns);
    returns.push_back(entry.selection_return);
  }
}

RuleFront read_front(std::string_view where, std::span<const std::int64_t> numbers, std::size_t& at,
                     std::span<const double> returns, std::size_t& returns_at, const Features& features) {
  const auto number = [&] {
    if (at >= numbers.size() || numbers[at] < 0) throw Error(where, "its front is damaged");
    return static_cast<std::size_t>(numbers[at++]);
  };
  const auto real = [&] {
    if (returns_at >= returns.size()) throw Error(where, "its front is damaged");
    return returns[returns_at++];
  };
  const auto figures = [&] {
    SampledReturn own;
    own.episodes = number();
    own.mean = real();
    own.error = real();
    if (own.episodes == 1) own.error = kNoError;
    own.worst = real();
    return own;
  };
  RuleFront front;
  front.final = true;
  const std::size_t count = number();
  if (count == 0) throw Error(where, "its front is damaged");
  front.teacher = figures();
  for (std::size_t i = 0; i < count; ++i) {
    FrontEntry entry;
    entry.list = read_list(where, numbers, at, features);
    entry.picked = number() != 0;
    entry.figures = figures();
    entry.selection_return = real();
    front.entries.push_back(std::move(entry));
  }
  return front;
}

}  // namespace ndnf
