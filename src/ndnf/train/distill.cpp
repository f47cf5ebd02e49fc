#include "ndnf/train/distill.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ndnf/base/error.h"
#include "ndnf/nn/activation.h"
#include "ndnf/nn/kernels/kernels.h"
#include "ndnf/train/streams.h"

namespace ndnf {
namespace {

constexpr double kTiny = 1e-8;  // inside the logarithms

}  // namespace

ConfigTable<DistillOptions> distill_config() {
  using O = DistillOptions;
  return ConfigTable<O>()
      .text("teacher", &O::teacher, "The teacher: a preset, which is trained first, a run, or a policy file.")
      .integer("teacher_seed", &O::teacher_seed, 0, std::numeric_limits<std::int64_t>::max(),
               "The seed of the teacher's training, if it is a preset.")
      .integer("batch_size", &O::batch_size, 1, 1'000'000'000, "Observations per update.")
      .integer("epochs", &O::epochs, 1, 1'000'000'000, "Number of passes over all observations.")
      .real("learning_rate", &O::learning_rate, 0, 1000, "Adam's step size, constant.")
      .real("adam_eps", &O::adam_eps, 0, 1, "Adam's epsilon.")
      .choice("states", &O::states, {"reachable", "all"},
              "The observations to learn from: those that some policy reaches, or those of all decision "
              "states.")
      .integer(
          "sample", &O::sample, 1, 100'000'000,
          "The distinct observations to learn from, at most, if the task cannot be enumerated: the teacher "
          "plays.")
      .integer("episodes", &O::episodes, 1, 1'000'000'000,
               "The episodes that the teacher plays for them, at most.");
}

template <class S>
DistillTrainer<S>::DistillTrainer(const ObservationTable& table, std::vector<ObsId> observations,
                                  PolicyTable teacher, ActorCritic<S> student, const DistillOptions& options,
                                  const LossOptions& losses, const DeltaOptions& delta,
                                  const HardenOptions& harden, std::uint64_t seed,
                                  const Constraints& constraints)
    : table_(table),
      observations_(std::move(observations)),
      teacher_(std::move(teacher)),
      options_(options),
      losses_(losses),
      delta_(delta),
      harden_(harden),
      mask_(constraints.mask),
      shuffles_(seed, kShuffleStream),
      optimiser_(std::move(student), {0.9, 0.999, options.adam_eps}, constraints.locked) {
  if (std::holds_alternative<Thresholds<S>>(optimiser_.network().encoder))
    input_scale_.observe(table_, observations_);
}

template <class S>
IterationReport DistillTrainer<S>::next_iteration() {
  set_schedules(epoch_);
  order_ = observations_;
  shuffle(shuffles_, epoch_, words_, order_);
  Sums sums;
  const auto size = static_cast<std::size_t>(options_.batch_size);
  for (std::size_t begin = 0; begin < order_.size(); begin += size) {
    update(std::span<const ObsId>(order_).subspan(begin, std::min(size, order_.size() - begin)), sums);
  }
  ++epoch_;
  return report(sums);
}

template <class S>
void DistillTrainer<S>::set_schedules(std::size_t epoch) {
  const double now = static_cast<double>(epoch) / static_cast<double>(options_.epochs);
  if (auto* thresholds = std::get_if<Thresholds<S>>(&optimiser_.network().encoder))
    harden(harden_, now, input_scale_.scale(), table_.vocabulary(), *thresholds);
  auto* dnf = std::get_if<NeuralDnf<S>>(&optimiser_.network().actor);
  if (dnf == nullptr) return;
  dnf->delta = delta_in_iteration(delta_, epoch);
  harden(harden_, now, *dnf);
}

template <class S>
ActorCritic<S> DistillTrainer<S>::policy() const {
  ActorCritic<S> result = network();
  harden_atoms(input_scale_.scale(), table_.vocabulary(), result);
  if (auto* dnf = std::get_if<NeuralDnf<S>>(&result.actor)) fold_gain(*dnf);
  return result;
}

template <class S>
void DistillTrainer<S>::update(std::span<const ObsId> batch, Sums& sums) {
  gather(table_, batch, optimiser_.network(), batch_, mask_);
  input_scale_.apply(batch_.numbers);
  forward_actor(optimiser_.network(), batch_, activations_);
  sums.divergence += add_divergence(batch);
  add_auxiliary(batch.size(), sums);
  backward(optimiser_.network(), batch_, activations_, output_gradients_, optimiser_.gradient());
  if (!optimiser_.finite()) {
    throw Error(fmt::format("epoch {}", epoch_ + 1), "the gradient is NaN or infinite",
                "try a smaller learning rate");
  }
  optimiser_.step(1, [this](Part) { return options_.learning_rate; });
  optimiser_.shrink_literals(losses_.literal_lambda * options_.learning_rate);
  sums.batches += 1;
}

/// KL = Σ t (log(t + ε) − log(p + ε)), so ∂KL/∂p = −t / (p + ε); the softmax's backward gives the raw
/// outputs' gradient.
template <class S>
double DistillTrainer<S>::add_divergence(std::span<const ObsId> batch) {
  const Matrix<S>& p = activations_.p;
  const auto count = static_cast<double>(batch.size());
  dp_.reshape(p.rows(), p.cols());
  logarithms_.resize(p.size());
  for (std::size_t b = 0, k = 0; b < batch.size(); ++b) {
    const auto teacher = teacher_.row(batch[b]);
    for (std::size_t a = 0; a < teacher.size(); ++a, ++k) {
      const double shifted = static_cast<double>(p(b, a)) + kTiny;
      logarithms_[k] = (teacher[a] + kTiny) / shifted;
      dp_(b, a) = static_cast<S>(-teacher[a] / shifted / count);
    }
  }
  kernels<double>().logarithms(logarithms_.size(), logarithms_.data(), logarithms_.data());
  double total = 0;
  for (std::size_t b = 0, k = 0; b < batch.size(); ++b) {
    for (const double chance : teacher_.row(batch[b])) total += chance * logarithms_[k++];
  }
  output_gradients_.raw.clear(p.rows(), p.cols());
  softmax_backward(p, dp_, output_gradients_.raw);
  return total / count;
}

template <class S>
void DistillTrainer<S>::add_auxiliary(std::size_t samples, Sums& sums) {
  const auto* dnf = std::get_if<NeuralDnf<S>>(&optimiser_.network().actor);
  if (dnf == nullptr) return;
  if (dnf->delta == 1) ++batches_at_full_delta_;
  const auto wait = static_cast<std::uint64_t>(losses_.wait_minibatches);
  if (losses_.wait_for_delta && batches_at_full_delta_ <= wait) return;
  if (losses_.conj_tanh_out_reg_lambda > 0)
    output_gradients_.conjunctions.clear(samples, activations_.dnf.c.cols());
  if (losses_.embedding_reg_lambda > 0 && !reads_atoms(optimiser_.network().encoder))
    output_gradients_.features.clear(samples, activations_.encoder.f.cols());
  counts_.assign(samples, S(1));
  const AuxiliaryLosses losses = add_auxiliary_losses<S>(losses_, optimiser_.network(), activations_, counts_,
                                                         static_cast<double>(samples), output_gradients_,
                                                         optimiser_.gradient(), batch_.allowed);
  sums.auxiliary.l1 += losses.l1;
  sums.auxiliary.l2 += losses.l2;
  sums.auxiliary.l3 += losses.l3;
  sums.auxiliary.l4 += losses.l4;
}

template <class S>
IterationReport DistillTrainer<S>::report(const Sums& sums) const {
  IterationReport report;
  report.iteration = epoch_;
  report.iterations = static_cast<std::size_t>(options_.epochs);
  report.steps = epoch_ * observations_.size();
  report.learning_rate = options_.learning_rate;
  report.distillation_loss = sums.divergence / sums.batches;
  if (const auto* dnf = std::get_if<NeuralDnf<S>>(&network().actor)) {
    report.delta = dnf->delta;
    report.loss_l1 = sums.auxiliary.l1 / sums.batches;
    report.loss_l2 = sums.auxiliary.l2 / sums.batches;
    report.loss_l3 = sums.auxiliary.l3 / sums.batches;
    report.loss_l4 = sums.auxiliary.l4 / sums.batches;
  }
  return report;
}

template <class S>
TensorFile DistillTrainer<S>::state() const {
  TensorFile file;
  optimiser_.save(file);
  save_atoms(network(), file);
  file.tensors["counters"] = Tensor::of(std::vector<std::uint64_t>{epoch_, batches_at_full_delta_});
  return file;
}

template <class S>
void DistillTrainer<S>::restore(std::string_view where, const TensorFile& file) {
  optimiser_.restore(where, file);
  restore_atoms(where, file, table_.vocabulary(), optimiser_.network());
  const auto counters = read_counts(where, file, "counters", 2);
  epoch_ = static_cast<std::size_t>(counters[0]);
  batches_at_full_delta_ = counters[1];
  if (epoch_ > 0) set_schedules(epoch_ - 1);
}

template class DistillTrainer<float>;
template class DistillTrainer<double>;

}  // namespace ndnf
