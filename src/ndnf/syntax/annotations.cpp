#include "ndnf/syntax/annotations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ndnf/syntax/atoms.h"

namespace ndnf {
namespace {

/// Exact numbers from 0 to 100 with 36 decimals, in units of 10⁻³⁶.
using Fixed = unsigned __int128;
constexpr int kFixedDecimals = 36;

Fixed power_of_ten(int exponent) {
  Fixed power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// A plain decimal text such as 0.25 as an exact number, rounded up after its 36th decimal.
Fixed to_fixed(std::string_view text) {
  Fixed value = 0;
  int decimals = -1;  // digits seen after the point, or −1 before it
  for (const char c : text) {
    if (c == '.') {
      decimals = 0;
    } else if (decimals == kFixedDecimals) {
      return value + 1;
    } else {
      value = value * 10 + static_cast<unsigned>(c - '0');
      if (decimals >= 0) ++decimals;
    }
  }
  return value * power_of_ten(kFixedDecimals - std::max(decimals, 0));
}

/// A number below 1, truncated to this number of decimals.
std::string to_decimal(Fixed value, int decimals) {
  value /= power_of_ten(kFixedDecimals - decimals);
  std::string digits(static_cast<std::size_t>(decimals), '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value /= 10) {
    *digit = static_cast<char>('0' + static_cast<int>(value % 10));
  }
  return "0." + digits.substr(0, std::max<std::size_t>(1, digits.find_last_not_of('0') + 1));
}

/// The shortest decimal, without an exponent, that reads back as the same number.
std::string shortest(double value) {
  std::array<char, 400> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return {buffer.data(), end.ptr};
}

double read(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The shortest text of at most `limit` that reads back as `value`; otherwise the nearest with 17 decimals.
std::string text_below(Fixed limit, double value) {
  constexpr int kDigitsOfDouble = 17;
  for (int decimals = kDigitsOfDouble; decimals <= kFixedDecimals; ++decimals) {
    std::string text = to_decimal(limit, decimals);
    if (read(text) == value) return text;
  }
  return to_decimal(limit, kDigitsOfDouble);
}

}  // namespace

std::vector<ActionChoice> choices_of(const Rule& rule, const Vocabulary& vocabulary) {
  std::vector<ActionChoice> choices;
  for (const HeadAtom& head : rule.heads) {
    const ActionId action = *vocabulary.find_action(*action_of(head.atom));
    const auto same = std::find_if(choices.begin(), choices.end(),
                                   [&](const ActionChoice& choice) { return choice.action == action; });
    if (same == choices.end()) {
      choices.push_back({action, head.probability});
    } else {
      same->probability = std::min(1.0, same->probability + head.probability);
    }
  }
  return choices;
}

double sum_of_annotations(const Rule& rule) {
  double sum = 0;
  for (const HeadAtom& head : rule.heads) sum += head.annotated ? head.probability : 0;
  return sum;
}

std::vector<double> to_annotations(std::span<const double> distribution, int decimals) {
  const auto unit = static_cast<std::int64_t>(power_of_ten(std::clamp(decimals, 1, kMostDecimals)));
  std::vector<std::int64_t> parts;
  for (const double p : distribution) parts.push_back(std::llround(p * static_cast<double>(unit)));
  const auto largest = static_cast<std::size_t>(std::max_element(distribution.begin(), distribution.end()) -
                                                distribution.begin());
  std::int64_t others = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) others += i == largest ? 0 : parts[i];
  if (!parts.empty()) parts[largest] = std::max<std::int64_t>(0, unit - others);
  std::vector<double> annotations;
  // Both are integers below 2⁵³, so the quotient is the double nearest to the decimal text.
  for (const std::int64_t part : parts) {
    annotations.push_back(static_cast<double>(part) / static_cast<double>(unit));
  }
  return annotations;
}

std::vector<std::string> annotation_texts(const Rule& rule) {
  std::vector<std::string> texts;
  Fixed sum = 0;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < rule.heads.size(); ++i) {
    texts.push_back(shortest(rule.heads[i].probability));
    sum += to_fixed(texts[i]);
    if (rule.heads[i].probability > rule.heads[largest].probability) largest = i;
  }
  const Fixed one = power_of_ten(kFixedDecimals);
  if (sum <= one) return texts;
  const Fixed others = sum - to_fixed(texts[largest]);
  texts[largest] = text_below(others < one ? one - others : 0, rule.heads[largest].probability);
  return texts;
}

}  // namespace ndnf
