#include "ndnf/syntax/physical_comparison.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/base/nearest.h"
#include "ndnf/syntax/comparison_atom.h"
#include "ndnf/syntax/token_stream.h"

namespace ndnf {
namespace {

__extension__ typedef __int128 Wide;

/// mantissa · 10^exponent, exactly.
struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

Decimal decimal(std::string_view text, Place place) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  Decimal number;
  bool point = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    number.mantissa = number.mantissa * 10 + (text[i] - '0');
    number.exponent -= point ? 1 : 0;
    if (number.mantissa > kMost) throw Wrong{place, fmt::format("{} has too many digits", text)};
  }
  if (i < text.size()) number.exponent += std::atoi(std::string(text.substr(i + 1)).c_str());
  if (std::abs(number.exponent) > 18) throw Wrong{place, fmt::format("{} is too small or too large", text)};
  while (number.mantissa != 0 && number.mantissa % 10 == 0) {
    number.mantissa /= 10;
    ++number.exponent;
  }
  return number;
}

Decimal product(Decimal a, Decimal b) { return {a.mantissa * b.mantissa, a.exponent + b.exponent}; }

/// The numbers as whole ones: all multiplied by the same power of ten.
std::vector<Wide> aligned(const std::vector<Decimal>& numbers) {
  int least = 0;
  for (const Decimal& number : numbers) least = std::min(least, number.mantissa == 0 ? 0 : number.exponent);
  std::vector<Wide> whole;
  for (const Decimal& number : numbers) {
    Wide value = number.mantissa;
    for (int e = number.exponent; number.mantissa != 0 && e > least; --e) value *= 10;
    whole.push_back(value);
  }
  return whole;
}

Wide common_divisor(Wide a, Wide b) {
  if (b < 0) b = -b;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

Wide floor_of(Wide number, Wide divisor) { return number / divisor - (number % divisor < 0 ? 1 : 0); }

class PhysicalReader {
 public:
  PhysicalReader(Token& now, Lexer& lexer, const Vocabulary& vocabulary)
      : now_(now), lexer_(lexer), vocabulary_(vocabulary), begin_(now.place) {}

  NumericLiteral read() {
    sum(1);
    sign_ = now_.text;
    if (sign_ != ">" && sign_ != ">=" && sign_ != "<" && sign_ != "<=" && sign_ != "=" && sign_ != "!=")
      throw Wrong{now_.place, fmt::format("found {}, expected a comparison such as {} > 0.5", shown_token(),
                                          vocabulary_.quantities().front().name)};
    take();
    sum(-1);
    std::erase_if(factors_, [](const auto& factor) { return factor.second.mantissa == 0; });
    if (factors_.empty()) throw Wrong{begin_, "compares no quantity, expected one"};
    NumericLiteral found = factors_.size() == 1 ? of_one() : of_several();
    require_both_ways(found);
    return found;
  }

 private:
  std::string shown_token() const {
    return now_.kind == TokenKind::kEnd ? "the end" : std::string(now_.text);
  }
  void take() { now_ = lexer_.next(); }
  bool at_number() const { return now_.kind == TokenKind::kInteger || now_.kind == TokenKind::kDecimal; }

  Decimal number() {
    const Decimal value = decimal(now_.text, now_.place);
    take();
    return value;
  }

  std::uint32_t quantity() {
    const auto found = now_.kind == TokenKind::kName ? vocabulary_.find_quantity(now_.text) : std::nullopt;
    if (!found && now_.kind == TokenKind::kName)
      throw Wrong{now_.place, unknown_quantity(now_.text, vocabulary_)};
    if (!found)
      throw Wrong{now_.place, fmt::format("found {}, expected a number or a quantity", shown_token())};
    if (!vocabulary_.quantities()[*found].grid)
      throw Wrong{now_.place,
                  fmt::format("the quantity {} has no quantum, so no rule can be about it", now_.text)};
    take();
    return *found;
  }

  void sum(int side) {
    int sign = side;
    if (now_.is("-")) {
      sign = -sign;
      take();
    }
    for (;;) {
      term(sign);
      if (!now_.is("+") && !now_.is("-")) return;
      sign = now_.is("-") ? -side : side;
      take();
    }
  }

  void term(int sign) {
    Decimal value{1, 0};
    std::optional<std::uint32_t> named;
    if (at_number()) {
      value = number();
      if (now_.is("*")) {
        take();
        named = quantity();
      }
    } else {
      named = quantity();
      if (now_.is("*")) {
        take();
        if (!at_number()) throw Wrong{now_.place, fmt::format("found {}, expected a number", shown_token())};
        value = number();
      }
    }
    value.mantissa *= sign;
    add(named ? factors_[*named] : constant_, value);
  }

  static void add(Decimal& sum, Decimal value) {
    const std::vector<Wide> both = aligned({sum, value});
    int least = 0;
    for (const Decimal& one : {sum, value}) least = std::min(least, one.mantissa == 0 ? 0 : one.exponent);
    sum = {static_cast<std::int64_t>(both[0] + both[1]), least};
  }

  Decimal quantum(std::uint32_t quantity) const {
    return decimal(fmt::format("{}", vocabulary_.quantities()[quantity].grid->quantum), begin_);
  }

  /// factor · quantum · K + constant sign 0.
  NumericLiteral of_one() const {
    const auto [quantity, factor] = *factors_.begin();
    const std::vector<Wide> whole = aligned({product(factor, quantum(quantity)), constant_});
    const Wide divisor = whole[0] < 0 ? -whole[0] : whole[0];
    const Wide bound = whole[0] < 0 ? whole[1] : -whole[1];
    const std::string sign = whole[0] < 0 ? mirrored(sign_) : sign_;
    const bool on_grid = bound % divisor == 0;
    const auto below = static_cast<std::int64_t>(floor_of(bound, divisor));
    if (sign == "=" || sign == "!=") {
      const std::int64_t place = on_grid ? below : below + 1;
      return literal(quantity, place, true, sign == "=");
    }
    if (on_grid && (sign == ">" || sign == "<=")) return literal(quantity, below, false, sign == ">");
    const bool above = sign == ">" || sign == ">=";
    const std::int64_t first = on_grid ? below - 1 : below;
    throw Wrong{begin_, fmt::format("rules see {} in steps of {}; the nearest they can say is {} or {}",
                                    vocabulary_.quantities()[quantity].name, unit_of(quantity),
                                    reading(literal(quantity, first, false, above), vocabulary_),
                                    reading(literal(quantity, first + 1, false, above), vocabulary_))};
  }

  /// Beyond the ranges rules tell no numbers apart: what is the same for all that they see says nothing about
  /// those, and may be false there.
  void require_both_ways(const NumericLiteral& literal) const {
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::string ranges;
    for (const LinearComparison::Term& term : literal.comparison.terms) {
      const Quantity& quantity = vocabulary_.quantities()[term.quantity];
      const std::int64_t at_low = term.coefficient * quantity.grid->lowest;
      const std::int64_t at_high = term.coefficient * quantity.grid->highest;
      least += std::min(at_low, at_high);
      most += std::max(at_low, at_high);
      ranges += fmt::format("{}{} from {:g} to {:g}{}{}", ranges.empty() ? "" : ", ", quantity.name,
                            quantity.grid->lowest * quantity.grid->quantum,
                            quantity.grid->highest * quantity.grid->quantum, quantity.unit.empty() ? "" : " ",
                            quantity.unit);
    }
    const std::int64_t bound = literal.comparison.bound;
    const bool beyond = bound > most || bound < least || (bound == most && !literal.comparison.equal);
    if (beyond)
      throw Wrong{begin_, fmt::format("rules see {}; within that this is always or never true", ranges)};
  }

  std::string unit_of(std::uint32_t quantity) const {
    const Quantity& known = vocabulary_.quantities()[quantity];
    return fmt::format("{:g}{}{}", known.grid->quantum, known.unit.empty() ? "" : " ", known.unit);
  }

  static NumericLiteral literal(std::uint32_t quantity, std::int64_t bound, bool equal, bool positive) {
    return {{{{quantity, 1}}, bound, equal}, positive};
  }

  static std::string mirrored(const std::string& sign) {
    if (sign == "=" || sign == "!=") return sign;
    return (sign[0] == '>' ? "<" : ">") + sign.substr(1);
  }

  NumericLiteral of_several() const {
    std::vector<Decimal> numbers{constant_};
    for (const auto& [quantity, factor] : factors_) numbers.push_back(product(factor, quantum(quantity)));
    std::vector<Wide> whole = aligned(numbers);
    Wide divisor = 0;
    for (std::size_t i = 1; i < whole.size(); ++i)
      divisor = common_divisor(whole[i] < 0 ? -whole[i] : whole[i], divisor);
    std::vector<LinearComparison::Term> terms;
    std::size_t i = 0;
    for (const auto& [quantity, factor] : factors_) terms.push_back({quantity, small(whole[++i] / divisor)});
    const bool strict = sign_ == ">" || sign_ == "<=";
    const bool equal = sign_ == "=" || sign_ == "!=";
    // sum + constant >= 0 is sum > -constant - 1, in units of the smallest step
    const Wide bound = -whole[0] - (strict || equal ? 0 : 1);
    if (equal && bound % divisor != 0) throw Wrong{begin_, "is never equal on the grids of its quantities"};
    NumericLiteral found = canonical(std::move(terms), small(floor_of(bound, divisor)), equal);
    if (sign_ == "<=" || sign_ == "<" || sign_ == "!=") found.positive = !found.positive;
    if (const std::int64_t most = reach(found.comparison, vocabulary_); most >= kComparisonLimit)
      throw Wrong{begin_, too_large(most)};
    return found;
  }

  std::int64_t small(Wide number) const {
    if (number >= kComparisonLimit || number <= -kComparisonLimit)
      throw Wrong{begin_, "has too many digits, expected numbers whose whole multiples fit into 32 bits"};
    return static_cast<std::int64_t>(number);
  }

  Token& now_;
  Lexer& lexer_;
  const Vocabulary& vocabulary_;
  Place begin_;
  std::string sign_;
  std::map<std::uint32_t, Decimal> factors_;
  Decimal constant_;
};

}  // namespace

std::string unknown_quantity(std::string_view name, const Vocabulary& vocabulary) {
  std::vector<std::string> known;
  for (const Quantity& quantity : vocabulary.quantities()) known.push_back(quantity.name);
  return fmt::format("there is no quantity {}; {}", name, suggestion(name, known));
}

bool at_physical_comparison(const Token& now, const Lexer& lexer, const Vocabulary& vocabulary) {
  if (vocabulary.quantities().empty()) return false;
  if (now.kind == TokenKind::kDecimal) return true;
  Lexer ahead = lexer;
  if (now.kind == TokenKind::kInteger || now.is("-")) {  // 3 < V is about places, 3 < velocity about units
    for (Token token = now; token.kind != TokenKind::kEnd && !token.is(","); token = ahead.next()) {
      if (token.kind == TokenKind::kName) return vocabulary.find_quantity(token.text).has_value();
    }
    return false;
  }
  if (now.kind != TokenKind::kName) return false;
  const Token after = ahead.next();
  constexpr std::array<std::string_view, 9> kOfNumbers{">", ">=", "<", "<=", "=", "!=", "+", "-", "*"};
  const bool among_numbers = std::find(kOfNumbers.begin(), kOfNumbers.end(), after.text) != kOfNumbers.end();
  return vocabulary.find_quantity(now.text) ? !after.is("(") : among_numbers;
}

NumericLiteral read_physical_comparison(Token& now, Lexer& lexer, const Vocabulary& vocabulary) {
  return PhysicalReader(now, lexer, vocabulary).read();
}

std::string in_places(std::string_view where, std::string_view body, Syntax syntax,
                      const Vocabulary& vocabulary) {
  std::string text;
  Rule rule;
  Lexer lexer(body, Syntax::kAsp);
  Token now = lexer.next();
  const auto copy_to = [&](const char* from, const Token& to) {
    const char* end = to.kind == TokenKind::kEnd ? body.data() + body.size() : to.text.data();
    text.append(from, end);
  };
  const char* copied = body.data();
  for (bool part = true; now.kind != TokenKind::kEnd;) {
    if (!part || !at_physical_comparison(now, lexer, vocabulary)) {
      part = now.is(",");
      now = lexer.next();
      continue;
    }
    copy_to(copied, now);
    try {
      const NumericLiteral literal = read_physical_comparison(now, lexer, vocabulary);
      rule.body = {comparison_literal(literal, vocabulary)};
      text += to_text(rule, syntax).substr(3);  // after `:- `
    } catch (const Wrong& wrong) {
      throw Error({std::string(where), wrong.place}, wrong.what);
    }
    copied = now.kind == TokenKind::kEnd ? body.data() + body.size() : now.text.data();
    part = false;
  }
  copy_to(copied, now);
  return text;
}

}  // namespace ndnf
