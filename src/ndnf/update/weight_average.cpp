#include "ndnf/update/weight_average.h"

#include <cstdint>
#include <string>

#include "ndnf/update/optimiser.h"

namespace ndnf {
namespace {

constexpr const char* kCount = "average.count";

std::string sum_name(std::size_t parameter) { return "average.sum." + std::to_string(parameter); }

}  // namespace

template <class S>
void WeightAverage<S>::add(const ActorCritic<S>& network) {
  ++count_;
  std::size_t k = 0;
  visit_parameters(network, [&](const std::string&, Part, const Matrix<S>& m) {
    if (sums_.size() == k) sums_.emplace_back(m.size(), 0.0);
    std::vector<double>& sum = sums_[k++];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(m.values()[i]);
  });
}

template <class S>
void WeightAverage<S>::apply(ActorCritic<S>& network) const {
  const auto n = static_cast<double>(count_);
  std::size_t k = 0;
  visit_parameters(network, [&](const std::string&, Part, Matrix<S>& m) {
    const std::vector<double>& sum = sums_[k++];
    for (std::size_t i = 0; i < sum.size(); ++i) m.values()[i] = static_cast<S>(sum[i] / n);
  });
}

template <class S>
void WeightAverage<S>::save(TensorFile& file) const {
  if (empty()) return;
  file.tensors[kCount] = Tensor::of(std::vector<std::uint64_t>{count_});
  for (std::size_t k = 0; k < sums_.size(); ++k) file.tensors[sum_name(k)] = Tensor::of(sums_[k]);
}

template <class S>
void WeightAverage<S>::restore(std::string_view where, const TensorFile& file,
                               const ActorCritic<S>& network) {
  count_ = 0;
  sums_.clear();
  if (file.tensors.count(kCount) == 0) return;
  count_ = static_cast<std::size_t>(read_counts(where, file, kCount, 1)[0]);
  visit_parameters(network, [&](const std::string&, Part, const Matrix<S>& m) {
    sums_.push_back(read_numbers<double>(where, file, sum_name(sums_.size()), m.size()));
  });
}

template class WeightAverage<float>;
template class WeightAverage<double>;

}  // namespace ndnf
