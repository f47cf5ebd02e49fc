#include "ndnf/mdp/linear_comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"

namespace ndnf {
namespace {

const Grid& grid_of(std::uint32_t quantity, const Vocabulary& vocabulary) {
  return *vocabulary.quantities()[quantity].grid;
}

std::int64_t floor_quotient(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

/// The nearest number with this many significant digits. REQUIRES: x is not 0.
double significant(double x, int digits) {
  double unit = 1;  // of the last digit
  const double least = digits == 1 ? 1 : 10;
  while (std::abs(x) >= 10 * least * unit) unit *= 10;
  while (std::abs(x) < least * unit) unit /= 10;
  return std::round(x / unit) * unit;
}

/// Whole numbers in the ratios of these: exactly, if a power of ten makes them whole, otherwise to a part in
/// a thousand of the smallest.
std::vector<std::int64_t> whole_ratios(const std::vector<double>& ratios) {
  constexpr int kMostPowers = 6;
  constexpr double kRounding = 1e-9;
  double power = 1;
  for (int i = 0; i <= kMostPowers; ++i, power *= 10) {
    const auto is_whole = [&](double r) {
      const double scaled = r * power;
      return std::round(scaled) != 0 && std::abs(scaled - std::round(scaled)) <= kRounding * std::abs(scaled);
    };
    if (std::all_of(ratios.begin(), ratios.end(), is_whole)) break;
    if (i < kMostPowers) continue;
    double least = std::abs(ratios.front());
    for (const double r : ratios) least = std::min(least, std::abs(r));
    power = 1000 / least;
  }
  std::vector<std::int64_t> whole;
  std::int64_t divisor = 0;
  for (const double r : ratios) {
    whole.push_back(std::llround(std::clamp(r * power, -1e15, 1e15)));
    divisor = std::gcd(divisor, whole.back());
  }
  for (std::int64_t& factor : whole) factor /= divisor;
  return whole;
}

/// Σ factor · (x − centre) > bound with factors of so many digits; nothing if its numbers are too large.
std::optional<NumericLiteral> rounded(const std::vector<RealTerm>& terms, std::span<const double> centre,
                                      double bound, int digits, const Vocabulary& vocabulary) {
  const double first = std::abs(terms.front().factor);
  const double unit = grid_of(terms.front().quantity, vocabulary).quantum;
  std::vector<double> ratios;
  for (const RealTerm& term : terms)
    ratios.push_back(significant(term.factor / first, digits) * grid_of(term.quantity, vocabulary).quantum /
                     unit);
  const std::vector<std::int64_t> factors = whole_ratios(ratios);
  std::vector<LinearComparison::Term> whole;
  double limit = bound / first / unit * std::abs(static_cast<double>(factors.front()) / ratios.front());
  std::int64_t farthest = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Grid& grid = grid_of(terms[i].quantity, vocabulary);
    whole.push_back({terms[i].quantity, factors[i]});
    limit += static_cast<double>(factors[i]) * centre[terms[i].quantity] / grid.quantum;
    if (std::abs(factors[i]) > kComparisonLimit / (grid.farthest() + 1)) return std::nullopt;
    farthest += std::abs(factors[i]) * grid.farthest();
  }
  const auto most = static_cast<double>(farthest);
  const auto nearest = static_cast<std::int64_t>(std::round(std::clamp(limit, -most, most)));
  NumericLiteral literal = canonical(std::move(whole), nearest);
  if (reach(literal.comparison, vocabulary) >= kComparisonLimit) return std::nullopt;
  return literal;
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
    sum += std::abs(term.coefficient) * grid_of(term.quantity, vocabulary).farthest();
  }
  return sum;
}

// In doubles: the numbers of a file may be too large for whole ones.
bool is_well_formed(const LinearComparison& comparison, const Vocabulary& vocabulary) {
  const std::vector<Quantity>& quantities = vocabulary.quantities();
  double reached = std::abs(static_cast<double>(comparison.bound));
  std::int64_t before = -1;
  for (const auto& [quantity, coefficient] : comparison.terms) {
    const bool ascending = std::int64_t{quantity} > before;
    if (!ascending || quantity >= quantities.size() || !quantities[quantity].grid || coefficient == 0)
      return false;
    before = quantity;
    reached += std::abs(static_cast<double>(coefficient)) *
               static_cast<double>(quantities[quantity].grid->farthest());
  }
  return before >= 0 && reached < static_cast<double>(kComparisonLimit);
}

NumericLiteral whole_literal(std::vector<RealTerm> terms, std::span<const double> centre, double bound,
                             const Vocabulary& vocabulary) {
  std::erase_if(terms, [](const RealTerm& term) { return term.factor == 0; });
  std::sort(terms.begin(), terms.end(),
            [](const RealTerm& a, const RealTerm& b) { return a.quantity < b.quantity; });
  const auto least = [&](const RealTerm& a, const RealTerm& b) {
    const auto size = [&](const RealTerm& term) {
      const Grid& grid = grid_of(term.quantity, vocabulary);
      return std::abs(term.factor) * grid.quantum * static_cast<double>(grid.farthest());
    };
    return size(a) < size(b);
  };
  while (true) {
    for (const int digits : {2, 1}) {
      if (auto literal = rounded(terms, centre, bound, digits, vocabulary)) return *std::move(literal);
    }
    terms.erase(std::min_element(terms.begin(), terms.end(), least));
  }
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
    const double factor =
        static_cast<double>(term.coefficient) / grid_of(term.quantity, vocabulary).quantum * unit;
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
