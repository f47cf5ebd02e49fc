#include "ndnf/mdp/linear_comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

const Grid& grid_of(const LinearComparison::Term& term, const Vocabulary& vocabulary) {
  return *vocabulary.quantities()[term.quantity].grid;
}

std::int64_t floor_quotient(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

/// A number with at most six digits, and whether these are all of them.
struct Shown {
  std::string text;
  bool exact;
};

Shown shown(double value) {
  const std::string text = fmt::format("{:.6g}", value + 0.0);  // -0 is 0
  double again = 0;
  std::from_chars(text.data(), text.data() + text.size(), again);
  constexpr double kRounding = 1e-12;
  return {text, std::abs(again - value) <= kRounding * std::abs(value)};
}

}  // namespace

NumericLiteral canonical(std::vector<LinearComparison::Term> terms, std::int64_t bound, bool equal) {
  std::sort(terms.begin(), terms.end(), [](const LinearComparison::Term& a, const LinearComparison::Term& b) {
    return a.quantity < b.quantity;
  });
  const bool flip = terms.front().coefficient < 0;
  // -Σ > b is Σ < -b, that is, not Σ > -b - 1
  if (flip) bound = equal ? -bound : -bound - 1;
  for (LinearComparison::Term& term : terms) term.coefficient *= flip ? -1 : 1;
  const std::int64_t divisor = terms.size() == 1 ? terms.front().coefficient : 1;
  if (divisor > 1 && !(equal && bound % divisor != 0)) {  // otherwise it never holds, whatever its form
    terms.front().coefficient = 1;
    bound = floor_quotient(bound, divisor);
  }
  return {{std::move(terms), bound, equal}, equal || !flip};
}

bool LinearComparison::holds(std::span<const std::int32_t> places) const {
  std::int64_t sum = 0;
  for (const Term& term : terms) sum += term.coefficient * places[term.quantity];
  return equal ? sum == bound : sum > bound;
}

std::int64_t reach(const LinearComparison& comparison, const Vocabulary& vocabulary) {
  std::int64_t sum = std::abs(comparison.bound);
  for (const LinearComparison::Term& term : comparison.terms) {
    sum += std::abs(term.coefficient) * grid_of(term, vocabulary).farthest();
  }
  return sum;
}

// K stands for K quanta, so a coefficient c of K is one of c / quantum of the quantity itself. Everything is
// divided by the first of these, which becomes 1.
std::string reading(const NumericLiteral& literal, const Vocabulary& vocabulary) {
  const LinearComparison& comparison = literal.comparison;
  const LinearComparison::Term& first = comparison.terms.front();
  const Quantity& leader = vocabulary.quantities()[first.quantity];
  const double unit = leader.grid->quantum / static_cast<double>(first.coefficient);
  const Shown bound = shown(static_cast<double>(comparison.bound) * unit);
  bool exact = bound.exact;
  std::string text = leader.name;
  for (std::size_t i = 1; i < comparison.terms.size(); ++i) {
    const LinearComparison::Term& term = comparison.terms[i];
    const double factor = static_cast<double>(term.coefficient) / grid_of(term, vocabulary).quantum * unit;
    const Shown size = shown(std::abs(factor));
    exact &= size.exact;
    text += fmt::format(" {} {}{}", factor < 0 ? '-' : '+', size.text == "1" ? "" : size.text + "*",
                        vocabulary.quantities()[term.quantity].name);
  }
  const char* sign = comparison.equal ? (literal.positive ? "=" : "!=") : (literal.positive ? ">" : "<=");
  text = fmt::format("{}{} {} {}", exact ? "" : "about ", text, sign, bound.text);
  return comparison.terms.size() == 1 && !leader.unit.empty() ? text + " " + leader.unit : text;
}

std::vector<std::int32_t> places_of(std::span<const float> numbers, const Vocabulary& vocabulary) {
  std::vector<std::int32_t> places;
  for (std::size_t q = 0; q < vocabulary.quantities().size(); ++q) {
    const Quantity& quantity = vocabulary.quantities()[q];
    if (!quantity.grid) throw Error("", fmt::format("the quantity {} has no quantum", quantity.name));
    places.push_back(quantity.grid->place(numbers[q]));
  }
  return places;
}

}  // namespace ndnf
