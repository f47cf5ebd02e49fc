#include "ndnf/properties/check_property.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "ndnf/mdp/bounded.h"
#include "ndnf/properties/endless_tally.h"
#include "ndnf/properties/exact_value.h"
#include "ndnf/properties/property_run.h"
#include "ndnf/properties/tally.h"

namespace ndnf {
namespace {

int sign_of(double value, double bound) { return value < bound ? -1 : value > bound ? 1 : 0; }

/// `sign` is that of value − bound.
bool is_met(Property::Comparison comparison, int sign) {
  switch (comparison) {
    case Property::Comparison::kAtLeast:
      return sign >= 0;
    case Property::Comparison::kAbove:
      return sign > 0;
    case Property::Comparison::kAtMost:
      return sign <= 0;
    case Property::Comparison::kBelow:
      return sign < 0;
    case Property::Comparison::kQuery:
      break;
  }
  return true;
}

bool asks_for_more(Property::Comparison comparison) {
  return comparison == Property::Comparison::kAtLeast || comparison == Property::Comparison::kAbove;
}

/// A value and its certainty.
struct Estimate {
  Bounded number;
  bool inner = false;  ///< It is a probability strictly between 0 and 1, even if rounded to one of them.
};

Tally<Bounded> bounded_tally(const EpisodeChain& chain, const Until& until, Property::Measure measure) {
  if (is_endless(until)) return *EndlessTally<Bounded>(chain, until, measure).run(WorkLimit());
  return tally<Bounded>(chain, until, measure, [](const Bounded&, std::size_t) { return true; });
}

Estimate estimate(const EpisodeChain& chain, const Until& until, Property::Measure measure) {
  const auto sum = bounded_tally(chain, until, measure);
  if (measure != Property::Measure::kProbability) return {sum.total, false};
  if (!sum.hit || !sum.miss) return {Bounded(sum.hit == until.complement ? 0 : 1), false};
  return {until.complement ? Bounded(1) - sum.total : sum.total, true};
}

/// The double to report for a value of which more is known than its nearest double shows.
double shown(double value, bool inner) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  return inner ? std::clamp(value, kLeast, std::nextafter(1.0, 0.0)) : value;
}
double shown(double value, int sign, double bound) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (sign == 0) return bound;
  return sign > 0 ? std::max(value, std::nextafter(bound, kInfinity))
                  : std::min(value, std::nextafter(bound, -kInfinity));
}

/// Compares the value with the bound; nothing if that would take more than `words`. Cheapest first: graph,
/// then doubles with an error bound, then exact arithmetic.
std::optional<ExactComparison> compare(const EpisodeChain& chain, const Until& until,
                                       const Property& property, const Estimate& value, std::size_t words) {
  const double bound = property.bound;
  const double number = shown(value.number.value, value.inner);
  if (value.inner && bound == 0) return ExactComparison{1, number};
  if (value.inner && bound == 1) return ExactComparison{-1, number};
  if (value.number.decides(bound)) return ExactComparison{sign_of(value.number.value, bound), number};
  auto exact = compare_exactly(chain, until, property.measure, bound, words);
  if (exact) exact->value = shown(exact->value, value.inner);
  return exact;
}

}  // namespace

// All episodes are followed at once, one step at a time (tally.h), as in bounded model checking of a Markov
// chain; the step limit bounds the unrolling, so no fixed point is needed. Costs O(steps · (moves + choices))
// operations; only comparisons within the rounding error cost exact arithmetic on top. Without any bound the
// values solve linear equations (endless_tally.h).
PropertyResult check_property(const EpisodeChain& chain, const Property& property, std::size_t exact_words) {
  const Until until = until_form(property, chain);
  const Estimate value = estimate(chain, until, property.measure);
  PropertyResult result{shown(value.number.value, value.inner), value.number.error, Verdict::kHolds};
  if (property.comparison == Property::Comparison::kQuery) return result;
  const auto compared = compare(chain, until, property, value, exact_words);
  if (!compared) {
    result.verdict = Verdict::kUndecided;
    return result;
  }
  result.value = shown(compared->value, compared->sign, property.bound);
  if (is_met(property.comparison, compared->sign)) return result;
  result.verdict = Verdict::kFails;
  const bool reward = property.measure != Property::Measure::kProbability;
  result.trace = find_run(chain, until, !reward && !asks_for_more(property.comparison));
  return result;
}

bool has_value(const FiniteModel& model, const Property& property) {
  if (!model.endless() || property.path.steps) return true;
  return property.measure == Property::Measure::kProbability ||
         (property.measure == Property::Measure::kReturn && model.discount() < 1);
}

std::string value_text(double value, const Property& property) {
  std::vector<double> marks;
  if (property.measure == Property::Measure::kProbability) marks = {0, 1};
  if (property.comparison != Property::Comparison::kQuery) marks.push_back(property.bound);
  for (int digits = 9;; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    const double read = std::strtod(text.c_str(), nullptr);
    const auto same_side = [&](double mark) { return sign_of(read, mark) == sign_of(value, mark); };
    if (read == value || std::all_of(marks.begin(), marks.end(), same_side)) return text;
  }
}

std::string bound_text(const Property& property) {
  constexpr std::string_view kSigns[] = {"=?", ">=", ">", "<=", "<"};
  return fmt::format("{} {}", kSigns[static_cast<std::size_t>(property.comparison)], property.bound);
}

}  // namespace ndnf
