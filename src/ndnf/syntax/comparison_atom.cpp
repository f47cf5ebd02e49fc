#include "ndnf/syntax/comparison_atom.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

constexpr std::string_view kAbove = "ndnf_above(";
constexpr std::string_view kEqual = "ndnf_equal(";

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return number;
  throw Error("", fmt::format("a quantity is compared with {}", text),
              "it can be compared with whole numbers");
}

/// The number that a quantity is compared with, and a bound on all that clingo meets in computing it. It is a
/// number, or the terms of a sum, in which clingo has put the values of variables.
std::pair<std::int64_t, std::int64_t> bound_of(std::string_view text) {
  if (!text.starts_with(kSumOfOthers)) return {number_of(text), std::abs(number_of(text))};
  const std::vector<std::string_view> parts = arguments(text);
  std::int64_t sum = number_of(parts.at(0));
  std::int64_t reach = std::abs(sum);
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    const std::int64_t value = number_of(parts[i]) * number_of(parts[i + 1]);  // each has 32 bits
    sum += value;
    reach += std::abs(value);
    if (reach >= kComparisonLimit) throw Error("", too_large(reach));
  }
  return {sum, reach};
}

std::uint32_t quantity_of(std::string_view name, const Vocabulary& vocabulary) {
  const auto found = vocabulary.find_quantity(name);
  if (!found) throw Error("", fmt::format("the task has no quantity {}", name));
  if (vocabulary.quantities()[*found].grid) return *found;
  throw Error("", fmt::format("the quantity {} has no quantum", name), "rules cannot be about it");
}

/// "100*A - 36*S"
std::string sum_text(const std::vector<std::pair<std::string, std::int64_t>>& terms) {
  std::string text;
  for (const auto& [variable, coefficient] : terms) {
    const bool negative = coefficient < 0;
    if (text.empty()) {
      text = negative ? "-" : "";
    } else {
      text += negative ? " - " : " + ";
    }
    const std::int64_t size = negative ? -coefficient : coefficient;
    text += size == 1 ? variable : fmt::format("{}*{}", size, variable);
  }
  return text;
}

std::string_view sign(bool equal, bool positive, Syntax syntax) {
  if (syntax == Syntax::kAsp) return equal ? (positive ? "=" : "!=") : (positive ? ">" : "<=");
  return equal ? (positive ? "=:=" : "=\\=") : (positive ? ">" : "=<");
}

/// "SU" of spin_upper.
std::string initials(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && name[i - 1] != '_') continue;
    if (std::isalpha(static_cast<unsigned char>(name[i])) != 0)
      text += static_cast<char>(std::toupper(static_cast<unsigned char>(name[i])));
  }
  return text;
}

std::string capitalised(std::string_view name) {
  std::string text(name);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::string comparison_atom(const LinearComparison& comparison, const Vocabulary& vocabulary) {
  std::string text = fmt::format("{}{}", comparison.equal ? kEqual : kAbove, comparison.bound);
  for (const LinearComparison::Term& term : comparison.terms) {
    text += fmt::format(",{},{}", vocabulary.quantities()[term.quantity].name, term.coefficient);
  }
  return text + ")";
}

BodyLiteral comparison_literal(const NumericLiteral& literal, const Vocabulary& vocabulary, Place place) {
  return {comparison_atom(literal.comparison, vocabulary), literal.positive, place};
}

bool is_comparison(std::string_view atom) { return atom.starts_with(kAbove) || atom.starts_with(kEqual); }

std::optional<LinearComparison> comparison_of(std::string_view atom, const Vocabulary& vocabulary) {
  if (!is_comparison(atom)) return std::nullopt;
  const std::vector<std::string_view> parts = arguments(atom);
  const auto [bound, computed] = bound_of(parts.at(0));
  LinearComparison comparison{{}, bound, atom.starts_with(kEqual)};
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    comparison.terms.push_back({quantity_of(parts[i], vocabulary), number_of(parts[i + 1])});
  }
  const std::int64_t most = reach(comparison, vocabulary) - std::abs(bound) + computed;
  if (most >= kComparisonLimit) throw Error("", too_large(most));
  return comparison;
}

std::string too_large(std::int64_t reach) {
  return fmt::format(
      "the numbers of this comparison may reach {}, expected less than 2^31: clingo computes "
      "with 32 bits",
      reach);
}

void QuantityVariables::add(const Rule& rule) {
  for (const BodyLiteral& literal : rule.body) {
    if (!is_comparison(literal.atom)) continue;
    const std::vector<std::string_view> parts = arguments(literal.atom);
    for (std::size_t i = 1; i < parts.size(); i += 2) {
      if (names_.emplace(parts[i], "").second) ++initials_[initials(parts[i])];
    }
  }
}

const std::string& QuantityVariables::name(std::string_view quantity) {
  std::string& name = names_.find(quantity)->second;
  if (name.empty()) {
    name = initials(quantity);
    if (initials_[name] > 1) name = capitalised(quantity);
  }
  return name;
}

std::string QuantityVariables::text(const BodyLiteral& literal, Syntax syntax,
                                    std::vector<std::string_view>& bound) {
  const std::vector<std::string_view> parts = arguments(literal.atom);
  const bool equal = literal.atom.starts_with(kEqual);
  if (equal && parts.size() == 3 && parts[2] == "1") {  // velocity(18)
    const std::string_view negation = literal.positive ? "" : syntax == Syntax::kAsp ? "not " : "\\+ ";
    return fmt::format("{}{}({})", negation, parts[1], parts[0]);
  }
  std::string text;
  std::vector<std::pair<std::string, std::int64_t>> terms;
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    const std::string& variable = name(parts[i]);
    terms.emplace_back(variable, number_of(parts[i + 1]));
    if (std::find(bound.begin(), bound.end(), parts[i]) != bound.end()) continue;
    text += fmt::format("{}({}), ", parts[i], variable);
    bound.push_back(parts[i]);
  }
  return text + fmt::format("{} {} {}", sum_text(terms), sign(equal, literal.positive, syntax), parts[0]);
}

}  // namespace ndnf
