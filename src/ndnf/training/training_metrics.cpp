#include "ndnf/training/training_metrics.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "ndnf/base/error.h"
#include "ndnf/report/event_file.h"

namespace ndnf {
namespace {

/// The figures of an iteration, with their names in metrics.jsonl and in TensorBoard.
struct Figure {
  const char* key;
  const char* tag;
  std::optional<double> IterationReport::*value;
};
constexpr Figure kFigures[] = {
    {"episodic_return", "charts/episodic_return", &IterationReport::episodic_return},
    {"episodic_length", "charts/episodic_length", &IterationReport::episodic_length},
    {"exact_return", "charts/exact_return", &IterationReport::exact_return},
    {"learning_rate", "charts/learning_rate", &IterationReport::learning_rate},
    {"delta", "charts/delta", &IterationReport::delta},
    {"epsilon", "charts/epsilon", &IterationReport::epsilon},
    {"policy_loss", "losses/policy_loss", &IterationReport::policy_loss},
    {"value_loss", "losses/value_loss", &IterationReport::value_loss},
    {"entropy", "losses/entropy", &IterationReport::entropy},
    {"approx_kl", "losses/approx_kl", &IterationReport::approx_kl},
    {"clipfrac", "losses/clipfrac", &IterationReport::clip_fraction},
    {"explained_variance", "losses/explained_variance", &IterationReport::explained_variance},
    {"l1", "losses/l1", &IterationReport::loss_l1},
    {"l2", "losses/l2", &IterationReport::loss_l2},
    {"l3", "losses/l3", &IterationReport::loss_l3},
    {"l4", "losses/l4", &IterationReport::loss_l4},
    {"distillation_loss", "losses/distillation", &IterationReport::distillation_loss},
};

double steps_per_second(const IterationReport& report, double seconds) {
  return seconds > 0 ? static_cast<double>(report.steps) / seconds : 0;
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

AppendedFile::AppendedFile(std::filesystem::path path, std::size_t size)
    : path_(std::move(path)),
      open_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)),
      size_(size) {
  if (!open_ && errno == ELOOP)
    throw Error(path_.string(), "is a symbolic link, and links are not written through", "remove it");
  struct stat status {};
  if (!open_ || ::fstat(open_.get(), &status) != 0) fail_write(path_, errno);
  if (!S_ISREG(status.st_mode)) throw Error(path_.string(), "is not a file", "remove it");
  require_one_name(path_, open_.get());
  size_ = std::min(size_, static_cast<std::size_t>(status.st_size));
  if (::ftruncate(open_.get(), static_cast<off_t>(size_)) != 0) fail_write(path_, errno);
  if (::lseek(open_.get(), 0, SEEK_END) < 0) fail_write(path_, errno);
}

void AppendedFile::append(std::string_view bytes) {
  write_all(open_.get(), path_, bytes);
  size_ += bytes.size();
}

void AppendedFile::sync() const {
  if (::fsync(open_.get()) != 0) fail_write(path_, errno);
}

void JsonLines::on_iteration(const IterationReport& report, double seconds) {
  nlohmann::ordered_json line = {{"iteration", report.iteration},
                                 {"steps", report.steps},
                                 {"seconds", seconds},
                                 {"steps_per_second", steps_per_second(report, seconds)},
                                 {"episodes", report.episodes}};
  for (const Figure& figure : kFigures) {
    if (const auto value = report.*figure.value) line[figure.key] = *value;
  }
  file_.append(line.dump() + "\n");
}

TensorBoardEvents::TensorBoardEvents(const std::filesystem::path& path, std::size_t size)
    : file_(path, size) {
  if (file_.size() == 0) file_.append(event_file_header(wall_time()));
}

void TensorBoardEvents::on_iteration(const IterationReport& report, double seconds) {
  const double now = wall_time();
  std::string records;
  const auto add = [&](const char* tag, double value) {
    records += scalar_event(tag, static_cast<std::int64_t>(report.steps), now, static_cast<float>(value));
  };
  for (const Figure& figure : kFigures) {
    if (const auto value = report.*figure.value) add(figure.tag, *value);
  }
  add("charts/SPS", steps_per_second(report, seconds));
  file_.append(records);
}

void ProgressShare::on_iteration(const IterationReport& report, double seconds) {
  const auto share = [&](std::size_t iterations) { return kWhole * iterations / report.iterations; };
  if (!begun_) {
    shown_ = share(report.iteration - 1);
    progress_.skip(shown_);
    begun_ = true;
  }
  const std::size_t now = share(report.iteration);
  progress_.advance(now - std::exchange(shown_, now), [&] {
    std::string words = fmt::format("{:.3g} M steps/s", steps_per_second(report, seconds) / 1e6);
    if (report.remark) return words + "  " + *report.remark;
    if (report.episodic_return) words += fmt::format("  return {:.4g}", *report.episodic_return);
    if (report.distillation_loss) words += fmt::format("  divergence {:.3g}", *report.distillation_loss);
    if (report.delta) words += fmt::format("  delta {:.3f}", *report.delta);
    return words;
  });
}

}  // namespace ndnf
