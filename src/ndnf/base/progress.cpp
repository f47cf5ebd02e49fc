#include "ndnf/base/progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace ndnf {
namespace {

constexpr std::size_t kWidth = 30;
constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(std::string title, std::size_t total)
    : title_(std::move(title)),
      total_(std::max<std::size_t>(total, 1)),
      visible_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

void Progress::skip(std::size_t amount) {
  done_ += amount;
  skipped_ += amount;
}

void Progress::advance(std::size_t amount, const std::function<std::string()>& note) {
  const std::size_t done = done_ += amount;
  if (!visible_) return;
  const std::unique_lock lock(drawing_, std::try_to_lock);
  const auto now = std::chrono::steady_clock::now();
  if (!lock || (done < total_ && now - drawn_ < kInterval)) return;
  drawn_ = now;
  draw(done, note ? "  " + note() : "");
}

void Progress::draw(std::size_t done, const std::string& note) {
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const double own = share - static_cast<double>(skipped_) / static_cast<double>(total_);
  const double passed = std::chrono::duration<double>(drawn_ - begin_).count();
  const auto filled = static_cast<std::size_t>(share * kWidth);
  std::string bar;
  for (std::size_t i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  fmt::print(stderr, "\r\033[K{} {} {:3.0f} %  {:.0f} s left{}", title_, bar, 100 * share,
             own > 0 ? passed * (1 - share) / own : 0.0, note);
  std::fflush(stderr);
}

}  // namespace ndnf
