#include "ndnf/train/staged_trainer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ndnf/update/optimiser.h"

namespace ndnf {
namespace {

const std::string kSecond = "second.";
const std::string kProgress = "first.progress";

}  // namespace

StagedTrainer::StagedTrainer(std::unique_ptr<Trainer> first,
                             std::function<std::unique_ptr<Trainer>()> begin_second, std::size_t iterations)
    : first_(std::move(first)), begin_second_(std::move(begin_second)), iterations_(iterations) {}

IterationReport StagedTrainer::next_iteration() {
  IterationReport report;
  if (second_) {
    report = second_->iterate();
    report.iteration += first_iterations_;
    report.iterations += first_iterations_;
    report.steps += steps_;
  } else {
    report = first_->iterate();
    first_iterations_ = report.iteration;
    report.iterations += iterations_;
    steps_ = report.steps;
  }
  begin_second_if_due();
  return report;
}

void StagedTrainer::begin_second_if_due() {
  if (second_ || !first_->done()) return;
  second_ = begin_second_();
  nothing_left_ = second_ == nullptr;
}

TensorFile StagedTrainer::state() const {
  TensorFile file = first_->state();
  file.tensors[kProgress] = Tensor::of(std::vector<std::uint64_t>{first_iterations_, steps_});
  if (!second_) return file;
  for (auto& [name, tensor] : second_->state().tensors) file.tensors[kSecond + name] = tensor;
  return file;
}

void StagedTrainer::restore(std::string_view where, const TensorFile& file) {
  first_->restore(where, file);
  const auto progress = read_counts(where, file, kProgress, 2);
  first_iterations_ = static_cast<std::size_t>(progress[0]);
  steps_ = static_cast<std::size_t>(progress[1]);
  begin_second_if_due();
  if (!second_) return;
  TensorFile own;
  for (const auto& [name, tensor] : file.tensors) {
    if (name.starts_with(kSecond)) own.tensors[name.substr(kSecond.size())] = tensor;
  }
  second_->restore(where, own);
}

}  // namespace ndnf
