#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ndnf/base/config.h"
#include "ndnf/base/random.h"
#include "ndnf/mdp/observation_table.h"
#include "ndnf/mdp/policy.h"
#include "ndnf/model/actor_critic.h"
#include "ndnf/train/running_scale.h"
#include "ndnf/train/trainer.h"
#include "ndnf/update/constraints.h"
#include "ndnf/update/delta.h"
#include "ndnf/update/harden.h"
#include "ndnf/update/losses.h"

namespace ndnf {

/// The section [distill] of a preset.
struct DistillOptions {
  std::string teacher;
  std::int64_t batch_size = 32;
  std::int64_t epochs = 1000;
  double learning_rate = 1e-3;
  double adam_eps = 1e-8;
  std::string states = "reachable";
  std::int64_t teacher_seed = 0;
  std::int64_t sample = 10'000;
  std::int64_t episodes = 10'000;
};
ConfigTable<DistillOptions> distill_config();

/// Trains a network to imitate a teacher policy: minimises the mean of KL(teacher ‖ student) over batches of
/// observations, with log(p + 1e-8) as in the authors' code, plus the auxiliary losses. An iteration is an
/// epoch: every observation once, in an order drawn from random stream 3.
template <class S>
class DistillTrainer final : public Trainer {
 public:
  /// REQUIRES: the table and every row of `teacher` for these observations are defined; the table outlives
  /// the trainer. The student has no critic. The mask applies to the student; the teacher must already obey
  /// it.
  DistillTrainer(const ObservationTable& table, std::vector<ObsId> observations, PolicyTable teacher,
                 ActorCritic<S> student, const DistillOptions& options, const LossOptions& losses,
                 const DeltaOptions& delta, const HardenOptions& harden, std::uint64_t seed,
                 const Constraints& constraints = {});

  bool done() const override { return epoch_ == static_cast<std::size_t>(options_.epochs); }
  TensorFile state() const override;
  void restore(std::string_view where, const TensorFile& state) override;

  const ActorCritic<S>& network() const { return optimiser_.network(); }
  /// The student with its gain folded into the weights.
  ActorCritic<S> policy() const;

 private:
  IterationReport next_iteration() override;
  /// Sums over the batches of an epoch.
  struct Sums {
    double batches = 0;
    double divergence = 0;
    AuxiliaryLosses auxiliary;
  };

  void set_schedules(std::size_t epoch);
  void update(std::span<const ObsId> batch, Sums& sums);
  /// Sets the gradients at the student's raw outputs; returns the mean divergence.
  double add_divergence(std::span<const ObsId> batch);
  void add_auxiliary(std::size_t samples, Sums& sums);
  IterationReport report(const Sums& sums) const;

  const ObservationTable& table_;
  const std::vector<ObsId> observations_;
  const PolicyTable teacher_;
  const DistillOptions options_;
  const LossOptions losses_;
  const DeltaOptions delta_;
  const HardenOptions harden_;
  const ActionMask* const mask_;
  const RandomStream shuffles_;
  Optimiser<S> optimiser_;
  InputScale<S> input_scale_;  ///< Of the observations to learn, for threshold atoms.
  std::size_t epoch_ = 0;
  std::uint64_t batches_at_full_delta_ = 0;

  std::vector<ObsId> order_;
  std::vector<std::uint32_t> words_;
  std::vector<S> counts_;
  Matrix<S> dp_;
  std::vector<double> logarithms_;
  Batch<S> batch_;
  Activations<S> activations_;
  OutputGradients<S> output_gradients_;
};

}  // namespace ndnf
