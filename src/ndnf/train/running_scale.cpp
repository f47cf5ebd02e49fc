#include "ndnf/train/running_scale.h"

#include <algorithm>
#include <cmath>

#include "ndnf/base/error.h"
#include "ndnf/update/optimiser.h"

namespace ndnf {
namespace {

constexpr const char* kInputs = "scale.inputs";
constexpr const char* kReward = "scale.reward";
constexpr const char* kReturns = "scale.returns";
constexpr std::size_t kFields = 5;

void append(std::vector<double>& to, const RunningFigures& figures) {
  to.insert(to.end(), {figures.count, figures.mean, figures.squares, figures.least, figures.most});
}

RunningFigures figures_at(const std::vector<double>& numbers, std::size_t at) {
  return {numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4]};
}

std::vector<double> read_figures(std::string_view where, const TensorFile& file, const char* name) {
  auto numbers = file.at(where, name).as<double>(where);
  if (numbers.size() % kFields != 0) throw Error(where, std::string(name) + " has a wrong size");
  return numbers;
}

/// y = W'(x − mean) · factor + b as a layer for x itself.
template <class S>
void fold(const std::vector<S>& means, const std::vector<S>& factors, Mlp<S>& mlp) {
  auto& layer = mlp.layers.front();
  if (layer.bias.size() == 0) layer.bias = Matrix<S>(1, layer.W.cols());
  for (std::size_t i = 0; i < layer.W.rows(); ++i) {
    for (std::size_t o = 0; o < layer.W.cols(); ++o) {
      layer.W(i, o) *= factors[i];
      layer.bias(0, o) -= layer.W(i, o) * means[i];
    }
  }
}

}  // namespace

void RunningFigures::add(double x) {
  least = count == 0 ? x : std::min(least, x);
  most = count == 0 ? x : std::max(most, x);
  count += 1;
  const double before = x - mean;
  mean += before / count;
  squares += before * (x - mean);
}

double RunningFigures::deviation() const { return count > 0 ? std::sqrt(squares / count) : 0; }

template <class S>
void InputScale<S>::observe(const ObservationTable& table, std::span<const ObsId> ids) {
  figures_.resize(table.dense_size());
  for (const ObsId id : ids) {
    const std::span<const float> row = table.dense(id);
    for (std::size_t i = 0; i < row.size(); ++i) figures_[i].add(static_cast<double>(row[i]));
  }
  set_factors();
}

template <class S>
void InputScale<S>::set_factors() {
  constexpr double kLeastShare = 0.1;
  means_.resize(figures_.size());
  factors_.resize(figures_.size());
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const RunningFigures& own = figures_[i];
    const double deviation = std::max(own.deviation(), kLeastShare * (own.most - own.least));
    means_[i] = static_cast<S>(own.mean);
    factors_[i] = deviation > 0 ? static_cast<S>(1 / deviation) : S(1);
  }
}

template <class S>
void InputScale<S>::apply(Matrix<S>& numbers) const {
  if (means_.empty()) return;
  for (std::size_t b = 0; b < numbers.rows(); ++b) {
    S* row = numbers.row(b);
    for (std::size_t i = 0; i < means_.size(); ++i) row[i] = (row[i] - means_[i]) * factors_[i];
  }
}

template <class S>
void InputScale<S>::fold_into(ActorCritic<S>& network) const {
  if (means_.empty()) return;
  fold(means_, factors_, std::get<Mlp<S>>(network.actor));
  if (network.critic) fold(means_, factors_, *network.critic);
}

template <class S>
Scaled InputScale<S>::scale() const {
  return {{means_.begin(), means_.end()}, {factors_.begin(), factors_.end()}};
}

template <class S>
void InputScale<S>::save(TensorFile& file) const {
  std::vector<double> numbers;
  for (const RunningFigures& own : figures_) append(numbers, own);
  file.tensors[kInputs] = Tensor::of(numbers);
}

template <class S>
void InputScale<S>::restore(std::string_view where, const TensorFile& file) {
  const std::vector<double> numbers = read_figures(where, file, kInputs);
  figures_.clear();
  for (std::size_t at = 0; at < numbers.size(); at += kFields) figures_.push_back(figures_at(numbers, at));
  set_factors();
}

void RewardScale::apply(std::size_t walkers, std::span<const std::uint8_t> ended, std::span<double> rewards) {
  returns_.resize(walkers, 0.0);
  for (std::size_t sample = 0; sample < rewards.size(); ++sample) {
    double& sum = returns_[sample % walkers];
    sum = discount_ * sum + rewards[sample];
    figures_.add(sum);
    if (ended[sample] != 0) sum = 0;
  }
  const double deviation = figures_.deviation();
  if (!(deviation > 0)) return;
  for (double& reward : rewards) reward /= deviation;
}

void RewardScale::save(TensorFile& file) const {
  std::vector<double> numbers;
  append(numbers, figures_);
  file.tensors[kReward] = Tensor::of(numbers);
  file.tensors[kReturns] = Tensor::of(returns_);
}

void RewardScale::restore(std::string_view where, const TensorFile& file) {
  const std::vector<double> numbers = read_figures(where, file, kReward);
  if (numbers.size() != kFields) throw Error(where, std::string(kReward) + " has a wrong size");
  figures_ = figures_at(numbers, 0);
  returns_ = file.at(where, kReturns).as<double>(where);
}

template class InputScale<float>;
template class InputScale<double>;

}  // namespace ndnf
