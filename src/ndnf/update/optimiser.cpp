#include "ndnf/update/optimiser.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ndnf {

std::vector<std::uint64_t> read_counts(std::string_view where, const TensorFile& file,
                                       const std::string& name, std::size_t size) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  std::vector<std::uint64_t> counts = read_numbers<std::uint64_t>(where, file, name, size);
  if (std::any_of(counts.begin(), counts.end(), [](std::uint64_t count) { return count > kMost; }))
    throw Error(std::string(where), fmt::format("{} has a number that no run reaches", name));
  return counts;
}
namespace {

std::vector<std::uint32_t> read_locked(std::string_view where, const TensorFile& file,
                                       const std::string& name, std::size_t size) {
  const auto found = file.tensors.find("locked." + name);
  if (found == file.tensors.end()) return {};
  std::vector<std::uint32_t> locked = found->second.as<std::uint32_t>(where);
  const auto beyond = std::find_if(locked.begin(), locked.end(), [size](auto i) { return i >= size; });
  if (beyond == locked.end()) return locked;
  throw Error(std::string(where), fmt::format("locks weight {} of {}", *beyond, name),
              fmt::format("it has {} weights", size));
}

}  // namespace

template <class S>
Optimiser<S>::Optimiser(ActorCritic<S> network, const AdamOptions& options, const LockedWeights& locked)
    : network_(std::move(network)),
      gradient_(zeros_like(network_)),
      options_(options),
      corrections_(options, 0) {
  visit_parameters(network_, [&](const std::string& name, Part part, Matrix<S>& value) {
    const auto* dnf = std::get_if<NeuralDnf<S>>(&network_.actor);
    const bool below_signs = part == Part::kEncoder || (dnf != nullptr && &value == &dnf->conjunctions);
    const auto own = locked.find(name);
    parameters_.push_back({name,
                           part,
                           below_signs,
                           &value,
                           nullptr,
                           {Numbers<S>(value.size(), S(0)), Numbers<S>(value.size(), S(0))},
                           own == locked.end() ? std::vector<std::uint32_t>() : own->second});
  });
  std::size_t k = 0;
  visit_parameters(gradient_,
                   [&](const std::string&, Part, Matrix<S>& m) { parameters_[k++].gradient = &m; });
}

template <class S>
bool Optimiser<S>::learns(const Parameter& parameter) const {
  const auto* dnf = std::get_if<NeuralDnf<S>>(&network_.actor);
  return !parameter.below_signs || dnf == nullptr || dnf->activation != Activation::kStep;
}

template <class S>
double Optimiser<S>::squared_gradient() {
  double square = 0;
  for (Parameter& parameter : parameters_) {
    for (const std::uint32_t i : parameter.locked) parameter.gradient->values()[i] = S(0);
    if (learns(parameter)) square += squared_norm<S>(parameter.gradient->values());
  }
  return square;
}

template <class S>
void Optimiser<S>::step(double scale, const std::function<double(Part)>& rate) {
  ++steps_;
  corrections_.advance(1);
  const double rates[] = {rate(Part::kEncoder), rate(Part::kActor), rate(Part::kCritic)};
  for (Parameter& parameter : parameters_) {
    if (!learns(parameter)) {
      parameter.gradient->fill(S(0));
      continue;
    }
    adam_step<S>(options_, corrections_, rates[static_cast<std::size_t>(parameter.part)], scale,
                 parameter.gradient->values(), parameter.moments, parameter.value->values());
  }
}

template <class S>
void Optimiser<S>::shrink_literals(double amount) {
  auto* dnf = std::get_if<NeuralDnf<S>>(&network_.actor);
  if (amount == 0 || dnf == nullptr) return;
  const auto is_own = [&](const Parameter& parameter) { return parameter.value == &dnf->conjunctions; };
  const Parameter& own = *std::find_if(parameters_.begin(), parameters_.end(), is_own);
  if (!learns(own)) return;
  Matrix<S>& W = dnf->conjunctions;
  std::vector<S> kept;
  for (const std::uint32_t i : own.locked) kept.push_back(W.values()[i]);
  for (std::size_t q = 0; q < W.cols(); ++q) {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < W.rows(); ++i) {
      if (std::abs(W(i, q)) > std::abs(W(largest, q))) largest = i;
    }
    for (std::size_t i = 0; i < W.rows(); ++i) {
      if (i == largest) continue;
      const S left = std::max(std::abs(W(i, q)) - static_cast<S>(amount), S(0));
      W(i, q) = std::copysign(left, W(i, q));
    }
  }
  for (std::size_t k = 0; k < kept.size(); ++k) W.values()[own.locked[k]] = kept[k];
}

template <class S>
void Optimiser<S>::save(TensorFile& file) const {
  for (const Parameter& parameter : parameters_) {
    const std::vector<std::size_t> shape{parameter.value->rows(), parameter.value->cols()};
    file.tensors["parameter." + parameter.name] =
        Tensor::of<S>(std::as_const(*parameter.value).values(), shape);
    file.tensors["adam.first." + parameter.name] = Tensor::of<S>(parameter.moments.first, shape);
    file.tensors["adam.second." + parameter.name] = Tensor::of<S>(parameter.moments.second, shape);
    if (!parameter.locked.empty()) file.tensors["locked." + parameter.name] = Tensor::of(parameter.locked);
  }
  file.tensors["adam.steps"] = Tensor::of(std::vector<std::uint64_t>{steps_});
}

template <class S>
void Optimiser<S>::restore(std::string_view where, const TensorFile& file) {
  for (Parameter& parameter : parameters_) {
    const auto read = [&](const char* prefix, auto target) {
      const auto values = read_numbers<S>(where, file, prefix + parameter.name, target.size());
      std::copy(values.begin(), values.end(), target.begin());
    };
    read("parameter.", parameter.value->values());
    read("adam.first.", std::span<S>(parameter.moments.first));
    read("adam.second.", std::span<S>(parameter.moments.second));
    parameter.locked = read_locked(where, file, parameter.name, parameter.value->size());
  }
  steps_ = read_counts(where, file, "adam.steps", 1)[0];
  corrections_ = AdamCorrections(options_, steps_);
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace ndnf
