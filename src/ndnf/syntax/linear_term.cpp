#include "ndnf/syntax/linear_term.h"

#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

bool has_quantities(const Term& term, const QuantityTerms& variables) {
  bool found = false;
  for_each_variable(term, [&](const Term& variable) { found |= variables.contains(variable.text); });
  return found;
}

Term operation(std::string_view op, Term left, Term right) {
  const Place place = left.place;
  return {Term::Kind::kOperation, std::string(op), {std::move(left), std::move(right)}, place};
}

LinearTerm limited(LinearTerm sum, Place place) {
  if (sum.reach < kComparisonLimit) return sum;
  throw Wrong{place, too_large(sum.reach)};
}

LinearTerm number(const Term& term) {
  LinearTerm sum;
  const char* end = term.text.data() + term.text.size();
  const auto read = std::from_chars(term.text.data(), end, sum.constant);
  if (read.ec != std::errc() || read.ptr != end || std::abs(sum.constant) >= kComparisonLimit)
    throw Wrong{term.place, fmt::format("{} is too large, expected less than 2^31", term.text)};
  sum.reach = std::abs(sum.constant);
  return sum;
}

LinearTerm scaled(LinearTerm sum, std::int64_t factor, Place place) {
  for (auto& [quantity, coefficient] : sum.factors) coefficient *= factor;
  sum.constant *= factor;
  sum.reach *= std::abs(factor);
  if (sum.other && factor != 1) {
    Term times{Term::Kind::kNumber, std::to_string(factor), {}, place};
    sum.other = operation("*", std::move(times), std::move(*sum.other));
  }
  return limited(std::move(sum), place);
}

LinearTerm sum_of(LinearTerm left, const LinearTerm& right) {
  for (const auto& [quantity, coefficient] : right.factors) left.factors[quantity] += coefficient;
  left.constant += right.constant;
  left.reach += right.reach;
  if (right.other)
    left.other = left.other ? operation("+", *std::move(left.other), *right.other) : *right.other;
  return left;
}

[[noreturn]] void refuse(const Term& term) {
  const bool interval = term.kind == Term::Kind::kOperation && term.text == "..";
  throw Wrong{
      term.place,
      interval
          ? fmt::format("{} is an interval of a quantity, expected two comparisons", to_text(term))
          : fmt::format("{} is not linear, expected sums of quantities with whole factors", to_text(term))};
}

LinearTerm other(const Term& term) {
  LinearTerm sum;
  sum.other = term;
  return sum;
}

LinearTerm product(const Term& term, const QuantityTerms& variables) {
  LinearTerm left = linear(term.arguments[0], variables);
  LinearTerm right = linear(term.arguments[1], variables);
  if (!left.is_constant()) std::swap(left, right);
  if (left.is_constant()) return scaled(std::move(right), left.constant, term.place);
  if (has_quantities(term, variables)) refuse(term);
  return other(term);
}

}  // namespace

LinearTerm value_of(std::uint32_t quantity, const Vocabulary& vocabulary) {
  LinearTerm sum;
  sum.factors[quantity] = 1;
  sum.reach = vocabulary.quantities()[quantity].grid->farthest();
  return sum;
}

LinearTerm linear(const Term& term, const QuantityTerms& variables) {
  const bool operation = term.kind == Term::Kind::kOperation;
  if (term.kind == Term::Kind::kNumber) return number(term);
  if (term.kind == Term::Kind::kNegative) return scaled(linear(term.arguments[0], variables), -1, term.place);
  if (operation && term.text == "*") return product(term, variables);
  if (operation && (term.text == "+" || term.text == "-")) {
    LinearTerm left = linear(term.arguments[0], variables);
    const LinearTerm right = linear(term.arguments[1], variables);
    return limited(term.text == "+" ? sum_of(std::move(left), right) : difference(std::move(left), right),
                   term.place);
  }
  if (!has_quantities(term, variables)) return other(term);
  if (term.kind == Term::Kind::kVariable) return variables.find(term.text)->second;
  refuse(term);
}

LinearTerm difference(LinearTerm left, const LinearTerm& right) {
  return sum_of(std::move(left), scaled(right, -1, right.other ? right.other->place : Place{}));
}

}  // namespace ndnf
