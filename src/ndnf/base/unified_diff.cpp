#include "ndnf/base/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace ndnf {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// A line that is kept (' '), removed ('-') or added ('+'), and the numbers of lines before it on both sides.
struct Step {
  char kind;
  std::string_view line;
  std::size_t old_line;
  std::size_t new_line;
};

/// Myers' greedy algorithm: for d = 0, 1, … changes, the furthest old line on each diagonal (old line − new
/// line); then back from the end. Time and memory grow with the lines times the changes.
std::vector<Step> steps_between(const Lines& a, const Lines& b) {
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  const auto m = static_cast<std::ptrdiff_t>(b.size());
  const auto at = [](const std::vector<std::ptrdiff_t>& furthest, std::ptrdiff_t k) {
    return furthest[static_cast<std::size_t>(k + static_cast<std::ptrdiff_t>(furthest.size()) / 2)];
  };
  const auto comes_down = [&](const std::vector<std::ptrdiff_t>& furthest, std::ptrdiff_t k,
                              std::ptrdiff_t d) {
    return k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1));
  };
  std::vector<std::vector<std::ptrdiff_t>> rounds;  // diagonals −d−1 to d+1
  bool done = false;
  for (std::ptrdiff_t d = 0; !done; ++d) {
    std::vector<std::ptrdiff_t> next(static_cast<std::size_t>(2 * d + 3), 0);
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      std::ptrdiff_t x = 0;
      if (d > 0)
        x = comes_down(rounds.back(), k, d) ? at(rounds.back(), k + 1) : at(rounds.back(), k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) ++x;
      next[static_cast<std::size_t>(k + d + 1)] = x;
      done = done || (x >= n && x - k >= m);
    }
    rounds.push_back(std::move(next));
  }
  std::vector<Step> steps;
  const auto add = [&](char kind, std::ptrdiff_t x, std::ptrdiff_t y) {
    const auto i = static_cast<std::size_t>(x);
    const auto j = static_cast<std::size_t>(y);
    steps.push_back({kind, kind == '+' ? b[j] : a[i], i, j});
  };
  std::ptrdiff_t x = n;
  std::ptrdiff_t y = m;
  for (auto d = static_cast<std::ptrdiff_t>(rounds.size()) - 1; d > 0; --d) {
    const auto& before = rounds[static_cast<std::size_t>(d - 1)];
    const std::ptrdiff_t k = x - y;
    const bool down = comes_down(before, k, d);
    const std::ptrdiff_t from = down ? k + 1 : k - 1;
    const std::ptrdiff_t start = at(before, from);
    while (x > start && y > start - from) add(' ', --x, --y);
    if (down) {
      add('+', x, --y);
    } else {
      add('-', --x, y);
    }
  }
  while (x > 0) add(' ', --x, --y);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

/// "12,3", or "12" for one line, or the line before for none.
std::string range(std::size_t begin, std::size_t count) {
  if (count == 1) return fmt::format("{}", begin + 1);
  return fmt::format("{},{}", count == 0 ? begin : begin + 1, count);
}

std::string hunk(const std::vector<Step>& steps, std::size_t begin, std::size_t end) {
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  std::string body;
  for (std::size_t i = begin; i < end; ++i) {
    old_count += steps[i].kind != '+';
    new_count += steps[i].kind != '-';
    body += steps[i].kind;
    body += steps[i].line;
    if (!steps[i].line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
  }
  return fmt::format("@@ -{} +{} @@\n{}", range(steps[begin].old_line, old_count),
                     range(steps[begin].new_line, new_count), body);
}

}  // namespace

std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text) {
  constexpr std::size_t kContext = 3;
  if (old_text == new_text) return "";
  const std::vector<Step> steps = steps_between(lines_of(old_text), lines_of(new_text));
  const auto next_change = [&](std::size_t from) {
    while (from < steps.size() && steps[from].kind == ' ') ++from;
    return from;
  };
  std::string out = fmt::format("--- {}\n+++ {}\n", old_name, new_name);
  for (std::size_t change = next_change(0); change < steps.size();) {
    const std::size_t begin = change - std::min(change, kContext);
    std::size_t last = change;
    for (change = next_change(last + 1); change < steps.size() && change - last <= 2 * kContext + 1;
         change = next_change(last + 1)) {
      last = change;
    }
    out += hunk(steps, begin, std::min(last + kContext + 1, steps.size()));
  }
  return out;
}

}  // namespace ndnf
