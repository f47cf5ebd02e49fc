#include "ndnf/base/progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "ndnf/base/terminal.h"
#include "ndnf/base/wrapped_text.h"

namespace ndnf {
namespace {

constexpr std::size_t kWidest = 30;
constexpr std::size_t kNarrowest = 8;
constexpr auto kBarInterval = std::chrono::milliseconds(100);

std::string bar_of(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

}  // namespace

std::string progress_line(const std::string& title, double share, const std::string& figures,
                          std::size_t width) {
  const std::size_t texts = letters(title) + letters(figures) + 2;
  const std::size_t room = width > texts ? width - texts : 0;
  const std::string bar = bar_of(share, std::clamp(room, kNarrowest, kWidest));
  return shortened(fmt::format("{} {} {}", title, bar, figures), width);
}

Progress::Progress(std::string title, std::size_t total, std::chrono::milliseconds line_interval)
    : title_(std::move(title)),
      total_(std::max<std::size_t>(total, 1)),
      terminal_(terminal_of(STDERR_FILENO).present),
      interval_(terminal_ ? kBarInterval : line_interval) {}

Progress::~Progress() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::skip(std::size_t amount) {
  done_ += amount;
  skipped_ += amount;
}

void Progress::advance(std::size_t amount, const std::function<std::string()>& note) {
  const std::size_t done = done_ += amount;
  const std::unique_lock lock(drawing_, std::try_to_lock);
  if (!lock) return;  // another thread is drawing
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < interval_ && !(terminal_ && done >= total_)) return;
  drawn_ = now;
  draw(done, note ? "  " + note() : "");
}

void Progress::announce(const std::string& next) {
  if (!terminal_) return;
  const std::lock_guard lock(drawing_);
  drawn_ = std::chrono::steady_clock::now();
  draw(done_, "  " + next);
}

void Progress::draw(std::size_t done, const std::string& note) {
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const double own = share - static_cast<double>(skipped_) / static_cast<double>(total_);
  const double passed = std::chrono::duration<double>(drawn_ - begin_).count();
  std::string left = fmt::format("{:3.0f} %", 100 * share);
  if (own > 0) left += fmt::format("  {:.0f} s left", passed * (1 - share) / own);
  left += note;
  if (terminal_) {
    const std::size_t width = terminal_of(STDERR_FILENO).width - 1;  // some terminals wrap in the last one
    fmt::print(stderr, "\r\033[K{}", progress_line(title_, share, left, width));
  } else {
    fmt::print(stderr, "{} {}\n", title_, left);
  }
  std::fflush(stderr);
}

}  // namespace ndnf
