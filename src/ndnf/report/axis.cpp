#include "ndnf/report/axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace ndnf {
namespace {

std::string with_minus(std::string number) {
  if (number.starts_with('-')) number.replace(0, 1, "−");
  return number;
}

/// 1, 2 or 5 times a power of ten, and not below the given length.
double round_step(double length) {
  const double decade = std::pow(10.0, std::floor(std::log10(length)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * decade >= length * (1 - 1e-9)) return digit * decade;
  }
  return 10 * decade;
}

int decimals(double step) {
  return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
}

}  // namespace

std::vector<double> Axis::ticks() const {
  std::vector<double> all;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    all.push_back(k == 0 ? 0.0 : k * step);
  }
  return all;
}

std::string Axis::text(double tick) const {
  if (step >= 1e6) return with_minus(fmt::format("{:g}M", tick / 1e6));
  if (std::max(std::abs(low), std::abs(high)) >= 1e6 && step >= 1e4)
    return tick == 0 ? "0" : with_minus(fmt::format("{:g}M", tick / 1e6));
  if (step >= 1e3) return tick == 0 ? "0" : with_minus(fmt::format("{:g}k", tick / 1e3));
  return with_minus(fmt::format("{:.{}f}", tick, decimals(step)));
}

double Axis::share(double value) const { return std::clamp((value - low) / (high - low), 0.0, 1.0); }

Axis axis_over(double low, double high, std::size_t count) {
  constexpr double kMost = 1e300;  // beyond, ends are rounded to infinity
  low = std::isfinite(low) ? std::clamp(low, -kMost, kMost) : 0;
  high = std::isfinite(high) ? std::clamp(high, -kMost, kMost) : 0;
  if (high < low) std::swap(low, high);
  if (high - low <= 1e-9 * std::max(std::abs(low), std::abs(high)) || high == low) {
    const double around = low == 0 ? 1 : 0.5 * round_step(std::abs(low) / 10);
    low -= around;
    high += around;
  }
  Axis axis;
  axis.step = round_step((high - low) / static_cast<double>(std::max<std::size_t>(1, count)));
  axis.low = axis.step * std::floor(low / axis.step + 1e-9);
  axis.high = axis.step * std::ceil(high / axis.step - 1e-9);
  return axis;
}

int shared_decimals(const std::vector<double>& numbers) {
  double largest = 0;
  bool whole = true;
  for (const double number : numbers) {
    largest = std::max(largest, std::abs(number));
    whole = whole && std::abs(number - std::round(number)) < 1e-9;
  }
  return whole || largest >= 100 ? 0 : largest >= 10 ? 1 : largest >= 1 ? 2 : 3;
}

std::string figure_text(double number, int decimals) {
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos) text = text.substr(text.starts_with('-') ? 1 : 0);
  return with_minus(std::move(text));
}

std::string figure_text(double number) {
  const double magnitude = std::abs(number);
  if (magnitude >= 1000) return with_minus(fmt::format("{:.0f}", number));
  const int digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", number, digits);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return text == "-0" ? "0" : with_minus(std::move(text));
}

}  // namespace ndnf
