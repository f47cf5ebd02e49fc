#include "ndnf/rules/dense_view.h"

#include <algorithm>
#include <utility>

namespace ndnf {
namespace {

std::size_t dense_size(const Vocabulary& vocabulary) {
  return vocabulary.quantities().size() + vocabulary.atom_count();
}

void write_dense(const ObservationTable& table, ObsId obs, std::vector<float>& row) {
  const auto numbers = table.dense(obs);
  row.resize(dense_size(table.vocabulary()));
  std::copy(numbers.begin(), numbers.end(), row.begin());
  table.write_atoms(obs, 0.0f, std::span(row).subspan(numbers.size()));
}

class DenseEnv final : public VectorEnv {
 public:
  explicit DenseEnv(std::unique_ptr<VectorEnv> env)
      : env_(std::move(env)), rows_(ring(1)), observations_(env_->size()), arrived_(env_->size()) {}

  std::size_t size() const override { return env_->size(); }
  const ObservationTable& observations() const override { return rows_; }
  void keep(std::size_t steps) override { rows_ = ring(steps); }
  bool cuts_episodes() const override { return env_->cuts_episodes(); }

  std::span<const ObsId> reset(std::uint64_t seed) override { return shown(env_->reset(seed)); }
  VectorStep step(std::span<const ActionId> actions) override {
    VectorStep step = env_->step(actions);
    for (std::size_t i = 0; i < size(); ++i) {
      arrived_[i] = write(step.arrived[i]);
      observations_[i] = step.observations[i] == step.arrived[i] ? arrived_[i] : write(step.observations[i]);
    }
    step.observations = observations_;
    step.arrived = arrived_;
    return step;
  }
  std::optional<std::vector<std::uint64_t>> snapshot() const override { return env_->snapshot(); }
  std::span<const ObsId> restore(std::span<const std::uint64_t> words) override {
    return shown(env_->restore(words));
  }

 private:
  ObservationTable ring(std::size_t steps) const {
    return dense_table(env_->observations().vocabulary(), 2 * env_->size() * (steps + 2));
  }
  std::span<const ObsId> shown(std::span<const ObsId> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) observations_[i] = write(ids[i]);
    return observations_;
  }
  ObsId write(ObsId obs) {
    write_dense(env_->observations(), obs, row_);
    const auto id = static_cast<ObsId>(next_);
    next_ = next_ + 1 == rows_.size() ? 0 : next_ + 1;
    rows_.overwrite(id, {}, row_);
    return id;
  }

  std::unique_ptr<VectorEnv> env_;
  ObservationTable rows_;
  std::size_t next_ = 0;
  std::vector<float> row_;
  std::vector<ObsId> observations_;
  std::vector<ObsId> arrived_;
};

class ThroughDenseView final : public Policy {
 public:
  explicit ThroughDenseView(std::shared_ptr<const Policy> policy) : policy_(std::move(policy)) {}
  std::size_t action_count() const override { return policy_->action_count(); }
  void probabilities(const ObservationTable& table, std::span<const ObsId> ids,
                     std::span<double> rows) const override {
    ObservationTable dense = dense_table(table.vocabulary(), ids.size());
    std::vector<ObsId> own(ids.size());
    std::vector<float> row;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      own[i] = static_cast<ObsId>(i);
      write_dense(table, ids[i], row);
      dense.overwrite(own[i], {}, row);
    }
    policy_->probabilities(dense, own, rows);
  }

 private:
  std::shared_ptr<const Policy> policy_;
};

}  // namespace

bool is_mixed(const Vocabulary& vocabulary) {
  return vocabulary.atom_count() > 0 && !vocabulary.quantities().empty();
}

ObservationTable dense_table(const Vocabulary& vocabulary, std::size_t rows) {
  const auto names = std::make_shared<const Vocabulary>(std::vector<AtomGroup>{}, vocabulary.actions());
  return ObservationTable::buffer(names, dense_size(vocabulary), rows);
}

std::unique_ptr<VectorEnv> dense_view(std::unique_ptr<VectorEnv> env) {
  return std::make_unique<DenseEnv>(std::move(env));
}

std::shared_ptr<const Policy> through_dense_view(std::shared_ptr<const Policy> policy) {
  return std::make_shared<const ThroughDenseView>(std::move(policy));
}

}  // namespace ndnf
