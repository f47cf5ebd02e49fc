#include "ndnf/syntax/linear_term.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ndnf/mdp/linear_comparison.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

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

[[noreturn]] void refuse(const Term& term) {
  const bool interval = term.kind == Term::Kind::kOperation && term.text == "..";
  throw Wrong{
      term.place,
      interval
          ? fmt::format("{} is an interval of a quantity, expected two comparisons", to_text(term))
          : fmt::format("{} is not linear, expected sums of quantities with whole factors", to_text(term))};
}

/// -19..-15 or T..U: clingo puts each of its values in.
bool is_interval(const Term& term, const QuantityTerms& variables) {
  if (term.kind != Term::Kind::kOperation || term.text != "..") return false;
  return std::all_of(term.arguments.begin(), term.arguments.end(), [&](const Term& end) {
    const Term& number = end.kind == Term::Kind::kNegative ? end.arguments[0] : end;
    return number.kind == Term::Kind::kNumber ||
           (number.kind == Term::Kind::kVariable && !variables.contains(number.text));
  });
}

LinearTerm product(const Term& term, const QuantityTerms& variables) {
  LinearTerm left = linear(term.arguments[0], variables);
  LinearTerm right = linear(term.arguments[1], variables);
  if (!left.is_constant()) std::swap(left, right);
  if (left.is_constant()) return times(std::move(right), left.constant, term.place);
  refuse(term);
}

}  // namespace

LinearTerm times(LinearTerm sum, std::int64_t factor, Place place) {
  for (auto& [quantity, coefficient] : sum.factors) coefficient *= factor;
  sum.constant *= factor;
  sum.reach *= std::abs(factor);
  for (auto& [term, own] : sum.others) {
    own *= factor;
    if (std::abs(own) >= kComparisonLimit) throw Wrong{place, too_large(std::abs(own))};
  }
  return limited(std::move(sum), place);
}

LinearTerm plus(LinearTerm left, const LinearTerm& right) {
  for (const auto& [quantity, coefficient] : right.factors) left.factors[quantity] += coefficient;
  left.constant += right.constant;
  left.reach += right.reach;
  left.others.insert(left.others.end(), right.others.begin(), right.others.end());
  return left;
}

LinearTerm value_of(std::uint32_t quantity, const Vocabulary& vocabulary) {
  LinearTerm sum;
  sum.factors[quantity] = 1;
  sum.reach = vocabulary.quantities()[quantity].grid->farthest();
  return sum;
}

LinearTerm linear(const Term& term, const QuantityTerms& variables) {
  const bool operation = term.kind == Term::Kind::kOperation;
  if (term.kind == Term::Kind::kNumber) return number(term);
  if (term.kind == Term::Kind::kNegative) return times(linear(term.arguments[0], variables), -1, term.place);
  if (operation && term.text == "*") return product(term, variables);
  if (operation && (term.text == "+" || term.text == "-")) {
    LinearTerm left = linear(term.arguments[0], variables);
    const LinearTerm right = linear(term.arguments[1], variables);
    return limited(term.text == "+" ? plus(std::move(left), right) : difference(std::move(left), right),
                   term.place);
  }
  const bool variable = term.kind == Term::Kind::kVariable;
  if (variable && variables.contains(term.text)) return variables.find(term.text)->second;
  if (!variable && term.kind != Term::Kind::kFunction && !is_interval(term, variables)) refuse(term);
  LinearTerm sum;
  sum.others.emplace_back(term, 1);
  return sum;
}

LinearTerm difference(LinearTerm left, const LinearTerm& right) {
  return plus(std::move(left),
              times(right, -1, right.others.empty() ? Place{} : right.others.front().first.place));
}

}  // namespace ndnf
